"""What a game tells about itself beyond its rules: the shape and meaning of what it says, the parts a table is drawn
from, and its events as sentences."""
