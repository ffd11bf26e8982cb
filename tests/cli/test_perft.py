import pytest

from neche.cli.main import main


def test_the_start_position_has_845931_leaves_at_depth_8(terminal):
    values = terminal.json("perft", "--depth", 8)
    assert values["nodes"] == 845_931
    assert values["seconds"] > 0
    assert "845931 leaves" in terminal.text("perft")


@pytest.mark.parametrize(("depth", "nodes"), [(0, 1), (1, 7), (2, 49), (3, 302)])
def test_shallow_depths_count_moves(depth, nodes, terminal):
    assert terminal.json("perft", "--depth", depth)["nodes"] == nodes


def test_any_position_can_be_counted(terminal):
    values = terminal.json("perft", "--fen", "W:W30,K2:B7,K31", "--depth", 1)
    assert (values["nodes"], values["fen"]) == (1, "W:WK2,30:B7,K31")


def test_ctrl_c_is_heard_while_compiled_code_counts(monkeypatch, capsys):
    def interrupt(self, timeout=None):
        raise KeyboardInterrupt

    monkeypatch.setattr("threading.Thread.join", interrupt)
    assert main(["perft", "--depth", "12"]) == 130
    assert capsys.readouterr().out == ""
