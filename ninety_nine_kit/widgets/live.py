"""What a screen reader is to say: the one thing for which ipywidgets has no widget of its own."""

from anywidget import AnyWidget
from traitlets import Unicode


class Live(AnyWidget):
    """A live region of the page. A screen reader says each new text; a part of the page that is drawn anew with a text
    in it, as HTML is, many of them do not say. It cannot be seen."""

    _esm = """
    export default {
      render({ model, el }) {
        el.setAttribute("role", "status");
        const tell = () => { el.textContent = model.get("text"); };
        model.on("change:text", tell);
        tell();
      },
    };
    """
    text = Unicode("").tag(sync=True)
