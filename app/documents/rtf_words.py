"""RTF's control words, by what they begin or stand for. Words that are in none of these lists change how text looks."""

import re

from app.documents.names import listed

SIGNS = {
    **dict.fromkeys(("line", "lbr", "page", "column"), "\n"),
    **dict.fromkeys(("emspace", "enspace", "qmspace"), " "),
    **dict(zip(("emdash", "endash", "lquote", "rquote", "ldblquote", "rdblquote", "bullet"), "—–‘’“”•", strict=True)),
    **dict(zip(("tab", "zwj", "zwnj"), "\t\u200d\u200c", strict=True)),
}

TABLES = ("fonttbl", "stylesheet", "revtbl")

FLOWS = listed("footnote annotation shptxt dptxbxtext header headerl headerr headerf footer footerl footerr footerf")
"""Groups of paragraphs that stand beside the text."""

CAPTURED = listed("fldinst listtext pntext atnauthor atnref atrfstart atrfend sn sv")
"""Groups whose words are not the text's own, and say something about it."""

SKIPPED = listed(
    """
    colortbl info pict objdata objclass objname nonshppict shprslt listtable listoverridetable filetbl rsidtbl xmlnstbl
    generator template private docvar userprops themedata colorschememapping datastore latentstyles defchp defpap
    bkmkstart bkmkend xe tc tcn rxe txe ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn falt panose fontemb fontfile
    atnid atntime atndate atnicn atnparent pn pnseclvl pgdsctbl mmathPr mmathPict mlimLoc mgrow msubHide msupHide
    fname ffname ffdeftext ffl ffhelptext ffstattext ffentrymcr ffexitmcr
    """
)
"""Groups that hold nothing that stands on a page, or the same once more for older programs."""

PROPERTIES = re.compile("m[A-Za-z]+Pr")
"""How an equation looks. Of a sum or an integral the sign itself is among them."""

OPEN = listed(
    "shppict shpinst ud nesttableprops do formfield moMath moMathPara mmath mnaryPr fldinst annotation atnauthor "
    "atnref atrfstart atrfend revtbl footnote pntext listtext"
)
"""Groups that older programs are told to pass over, and that are read."""

AROUND = {"mnum": ("(", ")/"), "mden": ("(", ")"), "msup": ("^(", ")"), "msub": ("_(", ")"), "mdeg": ("root(", ") ")}
"""Parts of an equation, which stand above and below one another."""
