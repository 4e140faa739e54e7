"""Widgets: they show what they are given and emit what was asked. They never act."""
