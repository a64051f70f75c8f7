"""How bots think: from what their seat sees and from imagined tables, never from the true one."""
