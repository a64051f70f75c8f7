"""A client for the terminal that knows the vocabulary of parts, and no game.

It is an HTTP client like any other: all it has is what the API says. The catalogue describes the view and the commands
of a game as JSON Schemas, and these say what each field is to the eye (`x-part`), which numbers are seats (`x-is`),
where on the table a command is made (`x-at`) and which commands stand beside the play (`x-aside`). That is enough to
draw every table and to offer every legal command at its place:

| file | what it does |
|---|---|
| `client.py` | speaks to the API |
| `schemas.py` | reads JSON Schemas: which parts a view has, what a typed text is worth |
| `choices.py` | the legal commands as numbered choices, field by field |
| `scene.py` | all that one drawing is made from |
| `pen.py`, `board.py`, `flow.py`, `drawing.py` | values, boards, blocks and whole tables as text and colours |
| `manual.py` | what `?` shows |
| `screen.py` | lines in, drawings out, at a terminal or through pipes |
| `session.py`, `watching.py`, `replaying.py` | a person at the table, looking on, or looking back |
| `opening.py`, `housing.py` | from the command line to a match; a server where none runs |
"""
