"""The interactive table and the widgets of the lessons."""

try:
    import ipywidgets as _ipywidgets  # noqa: F401
except ImportError as missing:
    raise ImportError(
        "ninety_nine_kit.widgets needs ipywidgets, which is not installed here: pip install 'ninety-nine-kit[lab]'"
    ) from missing

from ninety_nine_kit.widgets.menus import EffectTable, ReadingPage
from ninety_nine_kit.widgets.picker import BidPicker
from ninety_nine_kit.widgets.practice import TotalPractice
from ninety_nine_kit.widgets.quiz import Quiz
from ninety_nine_kit.widgets.table import Table

__all__ = ["BidPicker", "EffectTable", "Quiz", "ReadingPage", "Table", "TotalPractice"]
