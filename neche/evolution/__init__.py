"""Evolution: settings, population, ranking, selection, reproduction, curriculum, generations."""
