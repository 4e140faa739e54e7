"""Engines elsewhere: the same face as `engine.client.Engine` over any server that speaks OpenAI's protocol."""

from engine.remote.address import Address, BadAddress, Proxy, address, key_fault
from engine.remote.remote import RETRIES, TIMEOUT, Listed, Remote, Tested, proxy_variables

__all__ = ["RETRIES", "TIMEOUT", "Address", "BadAddress", "Listed", "Proxy", "Remote", "Tested"]
__all__ += ["address", "key_fault", "proxy_variables"]
