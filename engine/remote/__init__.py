"""Engines elsewhere: the same face as `engine.client.Engine` over any server that speaks OpenAI's protocol."""

from engine.remote.address import Address, BadAddress, address
from engine.remote.address import key_fault as key_fault
from engine.remote.remote import RETRIES, TIMEOUT, Listed, Remote, Tested

__all__ = ["RETRIES", "TIMEOUT", "Address", "BadAddress", "Listed", "Remote", "Tested", "address", "key_fault"]
