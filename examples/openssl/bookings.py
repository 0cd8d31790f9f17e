"""Prints the newest booking of accounts: bookings.py DATABASE ACCOUNT…"""

import sys

import xs2a

database, *accounts = sys.argv[1:]
with xs2a.Sandbox(database, seed=1) as sandbox:
    for account in accounts:
        ledger = sandbox.ledger(account)
        booking, balance = ledger["bookings"][0], ledger["balance"]
        print(account, booking["bookingDate"], booking["amount"], "balance", balance["amount"])
