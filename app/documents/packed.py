"""ZIP and TAR, and single files that are compressed: what is packed in them, unpacked in memory alone.

Every byte is counted as it comes out, whatever is declared; no link is followed and no path leads out.
"""

from app.documents import packed_tar, packed_zip
from app.documents.container import Container
from app.documents.errors import PassedOver
from app.documents.listing import Listing
from app.documents.signatures import is_compressed, is_tar
from app.documents.source import Content, Source


def read(source: Source) -> Content:
    inside = source.place()
    if inside.depth >= source.limits.depth:
        raise PassedOver("nested")
    if is_tar(source.data) or is_compressed(source.data):
        unpacked = packed_tar.members(source)
    else:
        unpacked = packed_zip.members(source)
    inside.allowance.open(len(unpacked.members))
    listing = Listing(unpacked.members, unpacked.made_by_git)
    container = Container("archive", source.limits, source.options, inside)
    container.left_out += listing.left_out
    container.warnings += unpacked.warnings
    for done, member in enumerate(listing.files):
        container.read(member.path, member.load, done, len(listing.files), listing.is_source(member.path))
    inside.at(len(listing.files), len(listing.files), inside.path)
    return container.content()
