#!/usr/bin/env python3
"""Writes src/charset/frequency.rs and src/charset/legacy_tables.rs.

    python3 charset_tables.py SHARED_DATA ../src/charset

Frequencies come from UTF-8 text only, so that no document of the charset tests is among it:
lang/{lingua,udhr,ui}.jsonl.zst for letters, and besides, for the characters of Chinese, Japanese and
Korean (which need more text), the pages of webhosts/pages.tar.zst that are UTF-8.

Letters: the cost in bits of a letter after another, -log2 P(b|a), where at least one of the two is
not ASCII; what is no letter counts as a space; in languages not written with Latin letters every
ASCII letter counts as "a". Where b is ASCII the cost is relative, log2 P(b) - log2 P(b|a) + 4, so
that what detection does not look at (ASCII) weighs nothing on average. And where the language is
written with Latin letters, as if one in twenty of them were not ASCII.

Characters: -log2 P(c) among the characters of the language that are not ASCII.

The legacy tables are what glibc's iconv says of VISCII, CP855 and EUC-TW.
"""
import collections, json, math, re, subprocess, sys, tarfile, unicodedata, io

DATA, OUT = sys.argv[1], sys.argv[2]
LATIN = "tr az cs sk pl hu hr sl ro lt lv et de fr es pt it nl sv da nb fi is ca eo mt sq ga".split()
OTHER = "ru uk be bg sr mk el he ar fa ur th".split()
CJK = {"ja": "ja", "ko": "ko", "zh-Hans": "hans", "zh-Hant": "hant"}
CODES = {"zh-CN": "zh-Hans", "zh-TW": "zh-Hant", "no": "nb"}


def zst(path):
    return subprocess.run(["zstd", "-dc", path], capture_output=True, check=True).stdout


texts = collections.defaultdict(list)
for name in ("lingua", "udhr", "ui"):
    for line in zst(f"{DATA}/lang/{name}.jsonl.zst").decode().splitlines():
        row = json.loads(line)
        texts[CODES.get(row["lang"], row["lang"])].append(row["text"])

pages = collections.defaultdict(list)
with tarfile.open(fileobj=io.BytesIO(zst(f"{DATA}/webhosts/pages.tar.zst"))) as tar:
    rows = {}
    for member in tar:
        body = tar.extractfile(member)
        if member.name.endswith("manifest.jsonl"):
            rows = {r["path"]: r for r in map(json.loads, body.read().decode().splitlines())}
        elif (row := rows.get(member.name)) and row["charset"] == "utf-8" and row["lang"] in CJK:
            pages[row["lang"]].append(body.read().decode("utf-8", "replace"))


# Letters that only texts decoded with the wrong charset have.
MISTAKEN = {"hu": "õûÕÛ"}


def is_letter(c):
    return unicodedata.category(c)[0] in "LM"


def fold(text, latin):
    out = [" "]
    for c in unicodedata.normalize("NFC", text).lower():
        if not is_letter(c):
            c = " "
        elif ord(c) < 128 and not latin:
            c = "a"
        if c != " " or out[-1] != " ":
            out.append(c)
    return "".join(out) + " "


def letters(name, strings, latin):
    """Pairs of letters by their cost."""
    pairs, firsts, singles = collections.Counter(), collections.Counter(), collections.Counter()
    for text in strings:
        text = text if latin is None else fold(text, latin)
        for a, b in zip(text, text[1:]):
            pairs[a, b] += 1
            firsts[a] += 1
            singles[b] += 1
    total = sum(singles.values())
    # Letters of other languages, in names and quotations, are none of this alphabet.
    # (Latin letters with other signs are borrowed more often than whole alphabets are.)
    rare = total / (200_000 if latin is False else 10_000)
    alphabet = {c for c, n in singles.items() if c < "\x80" or n >= max(3, rare)} - set(MISTAKEN.get(name, ""))
    # Languages differ in how many of their letters are not ASCII. On a page that is beside the point,
    # since its ASCII is markup too: what counts is which letters they are, so all have one in twenty.
    density = sum(n for c, n in singles.items() if c >= "\x80") / total
    shift = math.log2(min(0.3, max(0.01, density)) / 0.05) if latin is not False else 0
    levels = collections.defaultdict(list)
    for (a, b), n in pairs.items():
        if (a < "\x80" and b < "\x80") or n < 2 or not {a, b} <= alphabet:
            continue
        cost = -math.log2(n / firsts[a])
        if b < "\x80":
            cost += math.log2(singles[b] / total) + 4
        else:
            cost += shift
        cost = min(13, max(0, round(cost)))
        if cost < 13:
            levels[cost].append(a + b)
    return name, {k: "".join(sorted(v)) for k, v in sorted(levels.items())}


def vietnamese_1258(text):
    """Tones as combining marks where windows-1258 has no letter of its own."""
    out = []
    for c in fold(text, True):
        try:
            c.encode("cp1258")
            out.append(c)
        except UnicodeEncodeError:
            d = unicodedata.normalize("NFD", c)
            tones = [m for m in d[1:] if m in "\u0300\u0301\u0303\u0309\u0323"]
            rest = unicodedata.normalize("NFC", "".join(m for m in d if m not in tones))
            out.append(rest + "".join(tones))
    return "".join(out)


def characters(name, strings, keep):
    counts = collections.Counter(
        c for text in strings for c in text
        if ord(c) >= 128 and ord(c) < 0x10000 and unicodedata.category(c)[0] in "LPNSZ" and c not in "\ufffd\xa0©®"
    )
    total = sum(counts.values())
    levels = collections.defaultdict(list)
    for c, n in counts.most_common(keep):
        if n >= 3:
            levels[min(14, max(2, round(-math.log2(n / total))))].append(c)
    print(name, total, "characters", file=sys.stderr)
    return name, {k: "".join(sorted(v)) for k, v in sorted(levels.items())}


# Words for letters that the texts happen to lack, though everybody writes them.
WORDS = {"fr": "cœur œuvre sœur œufs œuf vœux mœurs nœud bœuf chœur œil manœuvre".split() * 3}

models = []
for lang in LATIN:
    models.append(letters(lang, texts[lang] + WORDS.get(lang, []), True))
models.append(letters("vi", texts["vi"], True))
models.append(letters("vi_1258", [vietnamese_1258(t) for t in texts["vi"]], None))
for lang in OTHER:
    strings = texts[lang]
    if lang == "sr":
        strings = [t for t in strings if re.search("[а-я]", t)]
    models.append(letters(lang, strings, False))
models.append(letters("he_visual", [t[::-1] for t in texts["he"]], False))

cjk = []
for lang, name in CJK.items():
    strings = texts[lang] + pages[lang]
    if lang == "zh-Hans":
        strings = strings + [t for t in texts["zh"] if not re.search("[們個國這會來時說學]", t)]
    cjk.append(characters(name, strings, {"ko": 1000}.get(lang, 1800)))


def quote(s):
    out = []
    for c in s:
        if c in '"\\':
            out.append("\\" + c)
        elif unicodedata.category(c)[0] in "MZC" and c != " ":
            out.append("\\u{%x}" % ord(c))
        else:
            out.append(c)
    return "".join(out)


with open(f"{OUT}/frequency.rs", "w") as f:
    f.write("//! How often letters follow each other and characters occur, in bits.\n//!\n")
    f.write("//! Written by `tables/charset_tables.py`, which says from what and how; not to be edited.\n\n")
    f.write("/// Costs in bits, each with what costs it: pairs of letters, or characters.\n")
    f.write("pub(super) type Levels = &'static [(u8, &'static str)];\n\n")
    for name, levels in models + cjk:
        f.write("#[rustfmt::skip]\n")
        f.write(f"pub(super) const {name.upper()}: Levels = &[\n")
        for cost, what in levels.items():
            f.write(f'    ({cost}, "{quote(what)}"),\n')
        f.write("];\n\n")


def iconv(code, charset):
    done = subprocess.run(["iconv", "-f", charset, "-t", "UTF-8"], input=code, capture_output=True)
    return done.stdout.decode() if done.returncode == 0 else None


with open(f"{OUT}/legacy_tables.rs", "w") as f:
    f.write("//! Tables of charsets that the WHATWG standard left behind.\n//!\n")
    f.write("//! Written by `tables/charset_tables.py` from glibc's iconv; not to be edited.\n\n")
    low = "".join(iconv(bytes([i]), "VISCII") for i in range(32))
    odd = [(i, c) for i, c in enumerate(low) if ord(c) != i]
    f.write("/// Letters among the control codes of VISCII.\n")
    f.write("pub(super) const VISCII_CONTROLS: [(u8, char); %d] =\n    [%s];\n\n" % (len(odd), ", ".join(f"(0x{i:02x}, '{c}')" for i, c in odd)))
    for name, charset in (("VISCII", "VISCII"), ("IBM855", "CP855")):
        upper = "".join(iconv(bytes([i]), charset) for i in range(128, 256))
        assert len(upper) == 128
        f.write(f"/// The upper half of {name}.\n")
        f.write(f'pub(super) const {name}: &str = "{quote(upper)}";\n\n')
    # Planes 1 and 2 of CNS 11643 hold the characters of Big5 in nearly the order of Big5.
    runs, lost = [], []
    for plane, prefix in ((1, b""), (2, b"\x8e\xa2")):
        for n in range(94 * 94):
            code = prefix + bytes([0xA1 + n // 94, 0xA1 + n % 94])
            c = iconv(code, "EUC-TW")
            if not c:
                continue
            try:
                b = c.encode("cp950")
                if len(b) != 2:
                    raise UnicodeEncodeError("cp950", c, 0, 1, "ascii")
            except UnicodeEncodeError:
                try:
                    b = c.encode("big5")
                except UnicodeEncodeError:
                    lost.append((plane, n, c))
                    continue
            trail = b[1] - (0x40 if b[1] < 0x7F else 0x62)
            big5 = b[0] * 157 + trail - 0xA1 * 157
            last = runs[-1] if runs else None
            if last and last[0] == plane and last[1] + last[3] == n and last[2] + last[3] == big5:
                last[3] += 1
            else:
                runs.append([plane, n, big5, 1])
    print("EUC-TW runs", len(runs), "lost", len(lost), file=sys.stderr)
    f.write("/// Runs of CNS 11643 that are runs of Big5: plane, first place in the plane, first place in\n")
    f.write("/// Big5 (rows of 157 from 0xA140), length.\n#[rustfmt::skip]\n")
    f.write(f"pub(super) const CNS_IN_BIG5: [(u8, u16, u16, u16); {len(runs)}] = [\n")
    for r in runs:
        f.write("    (%d, %d, %d, %d),\n" % tuple(r))
    f.write("];\n\n")
    f.write("/// What Big5 lacks: plane, place, character.\n#[rustfmt::skip]\n")
    f.write(f"pub(super) const CNS_ALONE: [(u8, u16, char); {len(lost)}] = [\n")
    for i in range(0, len(lost), 6):
        f.write("    " + " ".join("(%d, %d, '%s')," % (p, n, quote(c)) for p, n, c in lost[i : i + 6]) + "\n")
    f.write("];\n")
