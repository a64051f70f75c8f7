"""No seat learns what it may not know: who may see what is declared here, from the rules, and compared with the games."""
