"""What the command line can do: one file a command, over the services, without Qt."""
