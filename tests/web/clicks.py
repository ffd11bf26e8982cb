"""Actions of people on the pages: choose a game, click moves, drag pieces."""

from contextlib import suppress
from typing import Any

PATIENCE_MS = 120_000
"""The first game compiles its rules and players."""


def wait_for_moves(page, count):
    """Wait until this many moves are played and no player thinks."""
    page.locator(f'#moves [aria-label^="Move {count},"]').wait_for()
    page.locator("#stop:disabled").wait_for()


def played(page):
    return page.locator("#moves button").all_inner_texts()


def settle(page, button="#start", **fields):
    """Choose in the dialog of a new game, and press a button; a game under way is given up."""
    page.click("#new-game")
    for name, value in fields.items():
        page.select_option(f"#{name}", value)
        if name == "game":
            # The fields of another game come in a moment.
            page.locator("#start:enabled").wait_for()
    page.click(button)
    page.wait_for_timeout(100)
    if page.locator("#ask").is_visible():
        page.click("#ask-yes")
    page.locator("#settings").wait_for(state="hidden")


def choose(page, name, opponent, **fields):
    """Begin a new game of this kind against an opponent."""
    settle(page, game=name, opponent=opponent, **fields)
    page.locator(f"#board [aria-label='Board of {name}']").wait_for()
    page.locator("#no-moves").wait_for()
    page.locator("body[data-turn=yours]").wait_for()


def open_files(page):
    """Open the section on positions and files."""
    if page.locator("#files[open]").count() == 0:
        page.click("#files summary")


def paste(page, text):
    """Load a game from text."""
    open_files(page)
    page.fill("#paste", text)
    page.click("#load")


_CAN_MOVE = """() => document.querySelector(".square.can, .square.target")
    || document.querySelector("#pass")?.offsetParent"""


def click_move(page, number):
    """Click the squares of a legal move, and wait for the answer to it."""
    # the page says whose turn it is a moment before it shows what can be moved
    page.wait_for_function(_CAN_MOVE)
    if page.locator("#pass").is_visible():
        page.click("#pass")
    else:
        if not page.locator(".square.target").count():
            page.locator(".square.can").nth(number % page.locator(".square.can").count()).click()
        while not page.locator(".square.target").count() or page.locator(".square.way").count():
            page.locator(".square.way").first.click()
        page.locator(".square.target").first.click()
    page.locator(f'#moves [aria-label^="Move {number + 1},"]').wait_for()
    page.locator("body:not([data-turn=theirs])").wait_for()


def begin_with_a_move(page, name):
    """Begin a game against random moves, play a move and wait for the answer."""
    choose(page, name, "random")
    click_move(page, 0)
    wait_for_moves(page, 2)


def overflow(page):
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def drag(page, start, end):
    places = [page.locator(f'[data-square="{square}"]').bounding_box() for square in (start, end)]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in places]
    page.mouse.move(*middles[0])
    page.mouse.down()
    page.mouse.move(*middles[1], steps=4)
    page.mouse.up()


def hold(page, address):
    """Hold back the requests to an address; return a function that releases them."""
    requests: list[Any] = []
    is_open: list[bool] = []

    def handle(request):
        if is_open:
            request.continue_()
        else:
            requests.append(request)

    def release():
        is_open.append(True)
        for request in requests:
            # The page may have given it up.
            with suppress(Exception):
                request.continue_()

    page.route(address, handle)
    return release


def forget(page):
    """Let the server forget the game of a page for newer ones."""
    new = {"method": "POST", "headers": {"content-type": "application/json"}, "body": '{"game": "checkers"}'}
    page.evaluate("async (new_) => { for (let more = 16; more; more--) await fetch('/api/new', new_); }", new)
