"""How the evaluations of the bots are learned: by self-play, from nothing, on one core, without any download."""
