"""What the generators of configurations and timing sets share: reading TOML, saying all that is wrong with its fields, writing what has changed."""
import os
import tomllib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class ConfigError(Exception):
    """The file is impossible; the text has a line for each thing that is wrong, and each line names its field."""


def load_toml(path):
    try:
        with open(path, "rb") as f:
            return tomllib.load(f)
    except OSError as e:
        raise ConfigError(f"{path}: {e.strerror}") from e
    except tomllib.TOMLDecodeError as e:
        raise ConfigError(f"{path}: {e}") from e


def wrong_number(key, value, least, most, pow2):
    """What is wrong with a number, or None."""
    if not isinstance(value, int) or isinstance(value, bool):
        return f"field '{key}' must be an integer, not {value!r}"
    if not least <= value <= most:
        return f"field '{key}' is {value}, must be " + (f"{least}..{most}" if least < most else f"{least}")
    if pow2 and value & (value - 1):
        return f"field '{key}' is {value}, must be a power of two"
    return None


def wrong_word(key, value, known):
    """What is wrong with a word, or None."""
    if value in known:
        return None
    return f"field '{key}' is {value!r}, must be " + (f"one of: {', '.join(known)}" if len(known) > 1 else f"'{known[0]}'")


def refuse(path, wrong):
    """Raises all that is wrong at once; nothing if nothing is."""
    if wrong:
        raise ConfigError("\n".join(f"{path}: {w}" for w in wrong))


def write_if_changed(path, text):
    try:
        with open(path, encoding="utf-8") as f:
            if f.read() == text:
                return
    except OSError:
        pass
    tmp = path + ".tmp"
    with open(tmp, "w", encoding="utf-8") as f:
        f.write(text)
    os.replace(tmp, path)
