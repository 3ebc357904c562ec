"""What the lessons need besides the games: prepared deals, questions, and examples of the readings."""
