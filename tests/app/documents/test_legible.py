"""What is a text in eight languages, in code and in tables; what is none, in every way in which fonts make it so."""

import random
import string

import pytest
from make_pdf import with_map

from app.data.document import Warning
from app.documents.legible import illegible

pytestmark = pytest.mark.usefixtures("without_ocr")

TEXTS = {
    "English": """The lessor shall keep the house in good repair and shall bear the cost of every work that becomes
        necessary through no fault of the lessee. Where the lessee finds a defect, he shall tell the lessor of it
        without delay; otherwise he shall make good the harm that comes of his silence. The rent is due on the first
        day of each month and shall be paid into the account that the lessor has named in writing.""",
    "German": """Der Vermieter hat die Wohnung in gutem Zustand zu erhalten und trägt die Kosten aller Arbeiten, die
        ohne Verschulden des Mieters nötig werden. Zeigt sich ein Mangel, so hat der Mieter ihn unverzüglich
        anzuzeigen; unterlässt er es, so haftet er für den Schaden, der daraus entsteht. Die Miete ist am ersten Tag
        eines jeden Monats fällig und auf das Konto zu überweisen, das der Vermieter schriftlich genannt hat.""",
    "French": """Le bailleur maintient la maison en bon état et supporte les frais de tous les travaux qui deviennent
        nécessaires sans faute du preneur. Dès qu'un défaut apparaît, le preneur en avertit le bailleur sans délai;
        à défaut, il répare le dommage qui résulte de son silence. Le loyer est dû le premier jour de chaque mois et
        versé sur le compte que le bailleur a désigné par écrit.""",
    "Polish": """Wynajmujący utrzymuje dom w dobrym stanie i ponosi koszty wszystkich prac, które stają się konieczne
        bez winy najemcy. Gdy ujawni się wada, najemca niezwłocznie zawiadamia o niej wynajmującego; w przeciwnym
        razie odpowiada za szkodę, która wynika z jego milczenia. Czynsz jest płatny pierwszego dnia każdego miesiąca
        na rachunek, który wynajmujący wskazał na piśmie, a opóźnienie pociąga za sobą odsetki.""",
    "Vietnamese": """Bên cho thuê phải giữ ngôi nhà trong tình trạng tốt và chịu chi phí của mọi công việc cần thiết
        không do lỗi của bên thuê. Khi phát hiện hư hỏng, bên thuê phải báo ngay cho bên cho thuê biết; nếu không, bên
        thuê phải bồi thường thiệt hại phát sinh do sự im lặng của mình. Tiền thuê nhà được trả vào ngày đầu tiên của
        mỗi tháng vào tài khoản mà bên cho thuê đã chỉ định bằng văn bản.""",
    "Russian": """Наймодатель обязан содержать дом в исправном состоянии и нести расходы на все работы, которые
        становятся необходимыми не по вине нанимателя. При обнаружении недостатка наниматель обязан немедленно
        сообщить о нём наймодателю; в противном случае он возмещает вред, причинённый его молчанием.""",
    "Greek": """Ο εκμισθωτής διατηρεί το σπίτι σε καλή κατάσταση και φέρει τα έξοδα όλων των εργασιών που γίνονται
        αναγκαίες χωρίς υπαιτιότητα του μισθωτή. Όταν εμφανιστεί ελάττωμα, ο μισθωτής ειδοποιεί αμέσως τον εκμισθωτή·
        διαφορετικά αποκαθιστά τη ζημία που προκαλεί η σιωπή του.""",
    "Chinese": """出租人应当保持房屋的良好状态，并承担非因承租人过错而必需的一切修缮费用。承租人发现缺陷时，应当立即
        通知出租人；怠于通知的，应当赔偿由此造成的损失。租金于每月第一日支付至出租人书面指定的账户，逾期支付的，
        承租人应当按照约定的利率支付违约金，但是因不可抗力不能支付的除外。""",
    "Japanese": """賃貸人は家屋を良好な状態に保ち、賃借人の責めに帰さない理由で必要となるすべての工事の費用を負担する。
        賃借人は瑕疵を発見したときは遅滞なく賃貸人に通知しなければならず、通知を怠ったときはこれによって生じた損害を
        賠償する責任を負う。賃料は毎月一日に賃貸人が書面で指定した口座に支払うものとする。""",
    "Korean": """임대인은 주택을 양호한 상태로 유지하고 임차인의 과실 없이 필요하게 된 모든 공사의 비용을 부담한다.
        임차인은 하자를 발견한 때에는 지체 없이 임대인에게 알려야 하며, 알리지 아니한 때에는 그로 인하여 생긴 손해를
        배상하여야 한다. 차임은 매월 첫째 날에 임대인이 서면으로 지정한 계좌에 지급한다.""",
    "Arabic": """يلتزم المؤجر بصيانة المنزل في حالة جيدة ويتحمل تكاليف جميع الأعمال التي تصبح ضرورية دون خطأ من
        المستأجر. وإذا ظهر عيب وجب على المستأجر أن يخطر المؤجر به دون تأخير، وإلا كان مسؤولا عن الضرر الناشئ.""",
    "code": """def edited(self, edits: Iterable[Edit]) -> "Placed":
        built = _Building(self); done = 0
        for start, end, new in edits:
            built.keep(done, start)
            if len(new) == end - start: built.keep(start, end, new)
            else: built.put(character, self.raw(min(start + step, end - 1)) if start < end else NOWHERE)
        return Placed("".join(built.parts), built.starts, built.raws)  # x[i] = (a->b & 0xFF) | *p++;""",
    "numbers": "\n".join(f"{year} {year * 37 % 9973:,} {year * 91 % 7919 / 100:.2f} %" for year in range(1950, 2000)),
    "contents": "\n".join(f"Chapter {i} {'. ' * 40} {i * 7}" for i in range(30)),
    "hexadecimal": "\n".join(f"{i:08x}  {i * 2654435761 % 2**32:08x} {i * 40503 % 2**32:08x}" for i in range(60)),
    "a sequence": "\n".join("ACGTTGACCA TTGACCAGTA CCATGGATCA GGTACCATTG" for _ in range(20)),
}

CODED = "".join(random.Random(4).choices(string.ascii_letters + string.digits + "+/", k=1400))
TEXTS["base64"] = "\n".join(CODED[place : place + 76] for place in range(0, len(CODED), 76))

LATIN = ("English", "German", "French", "Polish", "code")


def exchanged(text: str, seed: int) -> str:
    """Another letter for each."""
    letters = list(string.ascii_lowercase)
    random.Random(seed).shuffle(letters)
    table = dict(zip(string.ascii_lowercase, letters, strict=True))
    table |= {a.upper(): b.upper() for a, b in table.items()}
    return text.translate(str.maketrans(table))


def moved(text: str, by: int) -> str:
    """The numbers of the characters, all too small by the same."""
    return "".join(c if c in "\n " else chr(max(0x21, ord(c) - by)) for c in text)


def by_first_use(text: str) -> str:
    """Numbers in the order in which characters are first used, as some programs number the shapes of a font."""
    order = dict.fromkeys(c for c in text if not c.isspace())
    codes = {c: chr(0x21 + place) for place, c in enumerate(order)}
    return "".join(codes.get(c, c) for c in text)


def as_latin_1(text: str) -> str:
    return text.encode("cp1251", "ignore").decode("latin-1")


@pytest.mark.parametrize("name", TEXTS)
def test_texts_are_texts(name):
    assert not illegible(TEXTS[name])


@pytest.mark.parametrize("name", ["English", "German", "French", "code", "numbers"])
def test_so_they_are_where_a_font_without_a_map_gave_them_by_luck(name):
    assert not illegible(TEXTS[name], unmapped=1.0)


@pytest.mark.parametrize("name", LATIN)
def test_exchanged_letters_are_none(name):
    texts = [exchanged(TEXTS[name], seed) for seed in range(100)]
    assert sum(illegible(text, unmapped=1.0) for text in texts) >= 98
    # A font that says of itself that it has a map is believed a little more.
    assert sum(illegible(text) for text in texts) >= 94


@pytest.mark.parametrize("name", LATIN)
def test_moved_numbers_are_none(name):
    assert illegible(moved(TEXTS[name], 29))
    assert illegible(moved(TEXTS[name], 29), unmapped=1.0)


@pytest.mark.parametrize("name", [*LATIN, "Russian", "Greek", "Chinese", "Japanese", "Korean", "Arabic"])
def test_numbers_by_first_use_are_none_without_a_map(name):
    assert illegible(by_first_use(TEXTS[name]), unmapped=1.0)


def test_one_alphabet_in_the_bytes_of_another_is_none():
    assert illegible(as_latin_1(TEXTS["Russian"]))


@pytest.mark.parametrize("name", ["Chinese", "Japanese", "Korean"])
def test_other_characters_of_the_same_script_are_none(name):
    first, count = (0xAC00, 11172) if name == "Korean" else (0x4E00, 20992)
    text = "".join(
        chr(first + (ord(c) - first) * 7919 % count) if first <= ord(c) < first + count else c for c in TEXTS[name]
    )
    assert illegible(text)


def test_scripts_that_mix_in_words_are_none():
    letters = dict.fromkeys(c for c in TEXTS["English"] if c.isalpha())
    table = {c: chr((0x61, 0x430, 0x561, 0x5D0, 0x10D0)[place % 5] + place % 20) for place, c in enumerate(letters)}
    assert illegible("".join(table.get(c, c) for c in TEXTS["English"]))


def test_words_of_many_scripts_side_by_side_are_a_text():
    names = ("English", "Russian", "Greek", "Arabic", "Japanese", "Vietnamese")
    mixed = [word for words in zip(*(TEXTS[name].split() for name in names), strict=False) for word in words]
    assert not illegible(" ".join(mixed))


@pytest.mark.parametrize(
    ("text", "unshown", "verdict"),
    [
        ("", 0, False),
        ("(cid:12)(cid:7) (cid:30)(cid:31)", 0, True),
        ("two words" + "\ue000", 0, True),
        ("• one bullet among words enough, \ue000 and that is all", 0, False),
        ("a few words", 9, True),
        ("a few words", 1, False),
    ],
)
def test_characters_without_a_meaning_are_counted(text, unshown, verdict):
    assert illegible(text, unshown=unshown) == verdict


def test_a_few_letters_prove_nothing():
    assert not illegible("Xqzv kwj bpfg")


def lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.split("\n")]


def test_a_page_in_a_font_without_a_map(read_bytes):
    content = read_bytes(with_map(lines(TEXTS["English"]), None), "a.pdf")
    assert content.warnings == (Warning("garbled_pages", {"pages": "1"}),)


def test_a_page_in_a_font_with_a_wrong_map(read_bytes):
    right = {c: c for c in string.ascii_lowercase}
    wrong = {c: exchanged(c, 1) for c in string.ascii_lowercase}
    assert read_bytes(with_map(lines(TEXTS["English"]), right), "a.pdf").warnings == ()
    content = read_bytes(with_map(lines(TEXTS["English"]), wrong), "a.pdf")
    assert content.warnings == (Warning("garbled_pages", {"pages": "1"}),)
