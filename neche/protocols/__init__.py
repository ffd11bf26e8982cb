"""What programs say to each other: neche as an engine, under an interface or against another engine."""
