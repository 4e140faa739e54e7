"""The local API: OpenAI's and Anthropic's protocols over what the window uses itself.

Off until a person switches it on. The only package that listens on a socket. Each protocol is a translation and no
more: its requests become `Asked`, and what the engine says becomes its answers.
"""
