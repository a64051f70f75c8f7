"""Whether a match went as its log says: the chain, the secrets, the draws, and every command judged anew.

It needs nothing but Python: `python -m domain.audit FILE`, or `parlor verify FILE`.
"""
