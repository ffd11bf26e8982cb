"""The few names that scripts and notebooks need; `import neche` brings them in when they are first used."""
