#!/usr/bin/python3
"""Is build/coretruth.spdx.json what SPDX 2.3 wants, true of the outputs, and complete?

usage: sbom.py BUILD      Ends with "N passed, N failed".
Each rule is a function from the document to the problems it sees. A rule counts as passed when
it sees none in the document and does see one in every damaged copy that belongs to it."""
import copy
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

from license_expression import get_spdx_licensing

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, "host/scripts/sbom")
BUILD = os.path.abspath(sys.argv[1])
PATH = os.path.join(BUILD, "coretruth.spdx.json")
OUTPUTS = ("kernel.elf", "coretruth.efi", "coretruth.iso")
# Mandatory fields of SPDX 2.3: sections 6, 7, 8, 10, 11.
DOCUMENT = ("spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo")
PACKAGE = ("name", "SPDXID", "downloadLocation", "versionInfo", "supplier", "licenseDeclared",
           "licenseConcluded", "copyrightText")
FILE = ("fileName", "SPDXID", "checksums")
RELATION = ("spdxElementId", "relationshipType", "relatedSpdxElement")
IN_OUTPUTS = ("STATIC_LINK", "CONTAINS", "GENERATED_FROM")
KINDS = IN_OUTPUTS + ("DESCRIBES", "BUILD_TOOL_OF", "DEV_DEPENDENCY_OF")
LICENSES = get_spdx_licensing()


def elements(doc):
    return [doc, *doc["packages"], *doc["files"]]


def ids(doc):
    return [element.get("SPDXID", "") for element in elements(doc)]


def debian_packages(doc):
    return {p["name"]: p for p in doc["packages"] if p.get("name") != "coretruth"}


def fields(doc):
    for kind, names, found in (("document", DOCUMENT, [doc]), ("package", PACKAGE, doc["packages"]),
                               ("file", FILE, doc["files"]), ("relation", RELATION, doc["relationships"])):
        for one in found:
            yield from (f"{kind} {one.get('name', '')}: {n} is missing" for n in names if not one.get(n))


def fixed_values(doc):
    if (doc["spdxVersion"], doc["dataLicense"], doc["SPDXID"]) != ("SPDX-2.3", "CC0-1.0", "SPDXRef-DOCUMENT"):
        yield "version, licence of the data or id of the document are not those of SPDX 2.3"
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", doc["creationInfo"]["created"]):
        yield "created is not YYYY-MM-DDThh:mm:ssZ"
    if not all(re.match(r"(Tool|Person|Organization): \S", c) for c in doc["creationInfo"]["creators"]):
        yield "a creator is no Tool, Person or Organization"
    if not re.fullmatch(r"[a-z]+:[^\s#]+", doc["documentNamespace"]):
        yield "the namespace is no URI without #"


def suppliers(doc):
    for package in doc["packages"]:
        for key in ("supplier", "originator"):
            if not re.match(r"NOASSERTION$|(Person|Organization): \S", package.get(key, "NOASSERTION")):
                yield f"{package['name']}: {key} is {package[key]}"


def valid_ids(doc):
    found = ids(doc)
    yield from (f"{i} is no id" for i in found if not re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", i))
    yield from (f"{i} stands for two elements" for i in set(found) if found.count(i) > 1)


def licences(doc):
    own = {info["licenseId"] for info in doc["hasExtractedLicensingInfos"] if info["extractedText"]}
    for package in doc["packages"]:
        for key in ("licenseDeclared", "licenseConcluded"):
            if package[key] in ("NOASSERTION", "NONE"):
                continue
            try:
                unknown = set(LICENSES.unknown_license_keys(package[key])) - own
            except Exception as error:  # what a parse error is called differs between versions
                unknown = {repr(error)}
            yield from (f"{package['name']}: {key}: {u} is no SPDX licence" for u in sorted(unknown))


def relations(doc):
    known = ids(doc)
    for one in doc["relationships"]:
        yield from (f"{one[k]} is nothing of this document" for k in (RELATION[0], RELATION[2])
                    if one[k] not in known)
        if one["relationshipType"] not in KINDS:
            yield f"{one['relationshipType']} is no relation that is meant"
    ends = {one[k] for one in doc["relationships"] for k in (RELATION[0], RELATION[2])}
    yield from (f"{i} has no relation to anything" for i in known if i not in ends)
    if not any(one["relationshipType"] == "DESCRIBES" for one in doc["relationships"]):
        yield "nothing is described"


def checksums(doc):
    if sorted(file["fileName"] for file in doc["files"]) != sorted(f"./{o}" for o in OUTPUTS):
        yield f"the files are not {', '.join(OUTPUTS)}"
    sha1s = []
    for file in doc["files"]:
        with open(os.path.join(BUILD, file["fileName"]), "rb") as output:
            data = output.read()
        sums = {one["algorithm"]: one["checksumValue"] for one in file["checksums"]}
        right = {"SHA1": hashlib.sha1(data).hexdigest(), "SHA256": hashlib.sha256(data).hexdigest()}
        sha1s.append(right["SHA1"])
        if sums != right:
            yield f"{file['fileName']}: the checksums are {sums}, the file has {right}"
    code = hashlib.sha1("".join(sorted(sha1s)).encode()).hexdigest()
    if doc["packages"][0]["packageVerificationCode"]["packageVerificationCodeValue"] != code:
        yield "the package verification code is not that of the files"


def versions(doc):
    for name, package in debian_packages(doc).items():
        version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], text=True,
                                 stdout=subprocess.PIPE).stdout
        if package["versionInfo"] != version:
            yield f"{name} is {version}, not {package['versionInfo']}"
        if f"/{name}@{version}".replace("+", "%2B") not in package["externalRefs"][0]["referenceLocator"]:
            yield f"{name}: the package URL has another name or version"


def needed(doc):
    """What host/scripts/need installs for build and iso is listed."""
    with open(os.path.join(ROOT, "host/scripts/need"), encoding="ascii") as file:
        groups = dict(re.findall(r"^ +(\w+)\) +echo ([^;]+?) *;;", file.read(), re.M))
    names = (groups["build"] + " " + groups["iso"]).split()
    yield from (f"host/scripts/need installs {n}, host/scripts/sbom.cfg does not have it"
                for n in names if n not in debian_packages(doc))
    yield from (f"host/scripts/sbom.cfg has {n}, which neither build nor iso of host/scripts/need installs"
                for n in debian_packages(doc) if n not in names)


def taken(doc):
    """Whatever the recipes take from below /usr belongs to a package that is in an output."""
    inside = {one["relatedSpdxElement"] for one in doc["relationships"]
              if one["relationshipType"] in IN_OUTPUTS}
    names = {n for n, p in debian_packages(doc).items() if p["SPDXID"] in inside}
    paths = set()
    for recipe in ("Makefile", "iso/build"):
        with open(os.path.join(ROOT, recipe), encoding="utf-8") as file:
            paths |= set(re.findall(r"/usr/[\w./-]*\w", file.read()))
    for path in sorted(paths):
        said = subprocess.run(["dpkg-query", "-S", path], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL).stdout
        owners = {word.split(":")[0] for word in said.rpartition(": ")[0].split(", ")}
        if not owners & names:
            yield f"{path} is of {', '.join(sorted(owners))}, which host/scripts/sbom.cfg has in no output"


def same_bytes(doc):
    """Made again, in another place by another time zone: the file that is there."""
    with tempfile.TemporaryDirectory() as place:
        for name in OUTPUTS:
            os.symlink(os.path.join(BUILD, name), os.path.join(place, name))
        version = doc["packages"][0]["versionInfo"]
        again = subprocess.run([SCRIPT, place, version], cwd=place, text=True, stdout=subprocess.PIPE,
                               env={**os.environ, "TZ": "Asia/Tokyo", "LC_ALL": "C"}).stdout
    if again != json.dumps(doc, indent=1) + "\n":
        yield "a second run does not give the same bytes"


def damaged(change):
    def apply(doc):
        doc = copy.deepcopy(doc)
        change(doc)
        return doc
    return apply


def without(names, pick):
    return [damaged(lambda d, n=n: pick(d).pop(n)) for n in names]


def sets(pick, key, value):
    return damaged(lambda d: pick(d).__setitem__(key, value))


def package(doc):
    return doc["packages"][3]


def relation(doc):
    return doc["relationships"][-1]


# A rule and documents that it has to refuse.
RULES = {
    fields: without(DOCUMENT, lambda d: d) + without(PACKAGE, package) +
            without(FILE, lambda d: d["files"][1]) + without(RELATION, relation),
    fixed_values: [sets(lambda d: d, "spdxVersion", "SPDX-2.2"), sets(lambda d: d, "dataLicense", "MIT"),
                   sets(lambda d: d["creationInfo"], "created", "2026-11-30"),
                   sets(lambda d: d["creationInfo"], "creators", ["somebody"]),
                   sets(lambda d: d, "documentNamespace", "urn:uuid:1#2")],
    suppliers: [sets(package, "supplier", "Debian"), sets(package, "originator", "somebody")],
    valid_ids: [sets(package, "SPDXID", "SPDXRef-lib_c"), sets(package, "SPDXID", "SPDXRef-coretruth")],
    licences: [sets(package, "licenseDeclared", "BSD"), sets(package, "licenseConcluded", "MIT AND"),
               sets(lambda d: d, "hasExtractedLicensingInfos", [])],
    relations: [sets(relation, "relatedSpdxElement", "SPDXRef-Package-nothing"),
                sets(relation, "relationshipType", "LIKES"),
                damaged(lambda d: d["relationships"].pop()), damaged(lambda d: d["relationships"].pop(0)),
                damaged(lambda d: d["packages"].pop())],
    checksums: [sets(lambda d: d["files"][0]["checksums"][1], "checksumValue", 64 * "0"),
                sets(lambda d: d["files"][2]["checksums"][0], "checksumValue", 40 * "0"),
                damaged(lambda d: d["files"].pop()),
                sets(lambda d: d["packages"][0], "packageVerificationCode",
                     {"packageVerificationCodeValue": 40 * "0"})],
    versions: [sets(package, "versionInfo", "0"),
               damaged(lambda d: package(d)["externalRefs"][0].update(referenceLocator="pkg:deb/debian/x@1"))],
    needed: [damaged(lambda d: d["packages"].pop()), sets(package, "name", "base-files")],
    taken: [sets(package, "name", "base-files"),
            damaged(lambda d: d["relationships"].clear())],
    same_bytes: [sets(lambda d: d, "name", "another")],
}


def table_problems():
    """What sbom.cfg must not say, each with a word of the answer."""
    with open(os.path.join(ROOT, "host/scripts/sbom.cfg"), encoding="utf-8") as file:
        right = file.read()
    cases = (("concluded = MIT\n", "", "has no concluded"), ("tool = yes", "tol = yes", "has a key tol"),
             ("linked = kernel.elf", "linked = kernel", "names kernel;"),
             ("desk = yes\n", "", "is nothing of"), ("tool = yes", "tool = no", "right is yes"),
             ("[nasm]", "[coretruth-no-such-package]", "is not installed"),
             ("LicenseRef-console-fonts", "LicenseRef-other", "no text for LicenseRef-other"))
    for old, new, answer in cases:
        with tempfile.TemporaryDirectory() as place:
            with open(SCRIPT, encoding="utf-8") as source, open(f"{place}/sbom", "w") as target:
                target.write(source.read())
            with open(f"{place}/sbom.cfg", "w", encoding="utf-8") as file:
                file.write(right.replace(old, new, 1))
            done = subprocess.run([sys.executable, f"{place}/sbom", BUILD, "v"], text=True, capture_output=True)
        if done.returncode != 1 or answer not in done.stderr or done.stdout:
            yield f"sbom.cfg with {new!r} for {old!r}: exit {done.returncode}, {done.stderr.strip()!r}"


def main():
    with open(PATH, encoding="ascii") as file:
        doc = json.load(file)
    passed, failed = 0, 0
    for rule, refused in RULES.items():
        problems = list(rule(doc))
        problems += [f"does not see damage {number}" for number, damage in enumerate(refused, 1)
                     if not list(rule(damage(doc)))]
        passed, failed = passed + (not problems), failed + bool(problems)
        for problem in problems:
            print(f"sbom: {rule.__name__}: {problem}")
    problems = list(table_problems())
    print("".join(f"sbom: table: {problem}\n" for problem in problems), end="")
    passed, failed = passed + (not problems), failed + bool(problems)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
