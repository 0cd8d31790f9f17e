"""What ``sandbox.policy`` gives: to be read, because a change of it would reach no bank."""

from __future__ import annotations

from typing import Any, NoReturn

__all__ = ["read_only"]


def read_only(value: Any) -> Any:
    """JSON values of which nothing can be changed. They are dicts and lists to everything that reads them."""
    if isinstance(value, dict):
        return _ReadOnlyDict({name: read_only(member) for name, member in value.items()})
    return _ReadOnlyList(map(read_only, value)) if isinstance(value, list) else value


def _refuse(*_: object, **__: object) -> NoReturn:
    raise TypeError("a policy is read here: change it with sandbox.set_policy({name: value})")


class _ReadOnlyDict(dict[str, Any]):
    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[dict[str, Any]], tuple[dict[str, Any]]]:
        """A copy, and what comes out of a pickle, is a dict of its owner's."""
        return dict, ({**self},)


class _ReadOnlyList(list[Any]):
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def __reduce__(self) -> tuple[type[list[Any]], tuple[list[Any]]]:
        """As of the dict."""
        return list, ([*self],)
