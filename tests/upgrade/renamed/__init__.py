"""What the views of 0.1.0 said in other words: a module a game, where there is anything to say."""
