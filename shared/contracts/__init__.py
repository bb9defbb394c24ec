"""What services tell each other: one module a service that speaks. Released contracts are only ever added to."""
