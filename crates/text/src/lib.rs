//! The language toolbox of Fissure: words, sentences, tags, parses, inflection, senses and neighbours.
