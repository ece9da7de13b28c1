"""The table: one line a bar, with what was measured, its peer, the ratio and the limit."""


class Table:
    def __init__(self):
        self.rows = []

    def add(self, name, measured, peer, ratio, limit, is_met):
        """`is_met` None: not measured in this run."""
        self.rows.append((name, measured, peer, ratio, limit, is_met))
        print("  " + self.line(self.rows[-1]), flush=True)

    def at_most(self, name, value, limit, unit, peer=""):
        self.add(name, f"{value:.4g} {unit}", peer, f"{value / limit:.2f} of it", f"{limit:g} {unit}", value <= limit)

    def against(self, name, value, peer, most, unit="s"):
        """`value` may be at most `most` times the peer."""
        self.add(name, f"{value:.4g} {unit}", f"{peer:.4g} {unit}", f"1/{peer / value:.1f}" if value < peer
                 else f"{value / peer:.2f}", f"1/{1 / most:.3g}" if most < 1 else f"{most:g}", value <= most * peer)

    def skip(self, name, why):
        self.add(name, "not measured", "", "", why, None)

    @staticmethod
    def line(row):
        word = {True: "ok", False: "MISSED", None: "skipped"}[row[5]]
        return f"{row[0]:52} {row[1]:>14} {row[2]:>12} {row[3]:>12} {row[4]:>14}  {word}"

    def print(self):
        print("\n" + f"{'what':52} {'measured':>14} {'peer':>12} {'ratio':>12} {'bar':>14}")
        for row in self.rows:
            print(self.line(row))
        missed = [row[0] for row in self.rows if row[5] is False]
        skipped = sum(row[5] is None for row in self.rows)
        for name in missed:
            print(f"missed: {name}")
        print(f"{sum(row[5] is True for row in self.rows)} met, {len(missed)} missed, {skipped} skipped")
        return 1 if missed else 0
