"""Texts as people write them, in the encodings in which they lie on old disks; the same ones each time."""

import random
from typing import NamedTuple

SENTENCES: dict[str, tuple[str, ...]] = {
    "chinese": (
        "甲方应当在收到发票后{n}日内，将货款人民币{m}元汇入乙方指定的银行账户。",
        "本合同自双方签字盖章之日起生效，有效期为{n}个月。",
        "昨天下午我们去图书馆借了几本关于古代建筑的书，管理员很热情。",
        "如发生争议，双方应友好协商解决；协商不成的，提交上海仲裁委员会仲裁。",
        "该公司第{n}季度的营业收入比去年同期增长了百分之{m}。",
        "妈妈说今年春天来得早，院子里的桃花已经开了。",
        "研究结果表明，温度每升高{n}度，反应速度大约加快一倍（见图{m}）。",
        "“你什么时候回来？”她问道，“大家都在等你吃晚饭呢。”",
        "附件中包括会议纪要、财务报表以及{n}张现场照片，请查收。",
        "根据《中华人民共和国民法典》第{n}条的规定，出租人应当履行维修义务。",
        "他沿着河边慢慢地走，心里想着下个星期的考试。",
        "软件安装完成后，请重新启动计算机，并检查网络设置是否正确。",
    ),
    "taiwan": (
        "甲方應於收到發票後{n}日內，將貨款新臺幣{m}元匯入乙方指定之銀行帳戶。",
        "本契約自雙方簽名蓋章之日起生效，有效期間為{n}個月。",
        "昨天下午我們去圖書館借了幾本關於古代建築的書，館員非常親切。",
        "如有爭議，雙方同意以臺灣臺北地方法院為第一審管轄法院。",
        "該公司第{n}季的營業收入較去年同期成長百分之{m}。",
        "媽媽說今年春天來得早，院子裡的桃花已經開了。",
        "研究結果顯示，溫度每升高{n}度，反應速度約加快一倍（參見圖{m}）。",
        "「你什麼時候回來？」她問道，「大家都在等你吃晚飯呢。」",
        "附件包含會議紀錄、財務報表以及{n}張現場照片，請查收。",
        "依民法第{n}條之規定，出租人應以合於約定使用之租賃物交付承租人。",
        "他沿著河邊慢慢地走，心裡想著下個星期的考試。",
        "軟體安裝完成後，請重新啟動電腦，並檢查網路設定是否正確。",
    ),
    "japanese": (
        "甲は、請求書を受領した日から{n}日以内に、代金{m}円を乙の指定する銀行口座に振り込むものとする。",
        "本契約は、締結の日から{n}か月間有効とする。",
        "昨日の午後、図書館で古い建物についての本を何冊か借りました。",
        "本契約に関する紛争については、東京地方裁判所を専属的合意管轄裁判所とする。",
        "当社の第{n}四半期の売上高は、前年同期と比べて{m}パーセント増加した。",
        "今年は春が早く、庭の桃の花がもう咲いているそうです。",
        "実験の結果、温度が{n}度上がるごとに反応の速さはおよそ二倍になった（図{m}を参照）。",
        "「いつ帰ってくるの」と彼女は尋ねた。「みんな夕飯を待っているのに。」",
        "添付のファイルには、会議の議事録と写真{n}枚が入っています。ご確認ください。",
        "民法第{n}条の規定により、賃貸人は必要な修繕をする義務を負う。",
        "彼は来週の試験のことを考えながら、川に沿ってゆっくり歩いた。",
        "ソフトウェアのインストールが終わったら、コンピューターを再起動してください。",
    ),
    "korean": (
        "갑은 세금계산서를 받은 날부터 {n}일 이내에 대금 {m}원을 을이 지정한 은행 계좌로 송금한다.",
        "이 계약은 서명한 날부터 {n}개월 동안 효력이 있다.",
        "어제 오후에 우리는 도서관에서 옛날 건물에 관한 책을 몇 권 빌렸습니다.",
        "이 계약과 관련된 분쟁은 서울중앙지방법원을 관할 법원으로 한다.",
        "회사의 {n}분기 매출은 지난해 같은 기간보다 {m}퍼센트 늘었다.",
        "올해는 봄이 빨리 와서 마당의 복숭아꽃이 벌써 피었다고 어머니가 말씀하셨다.",
        "실험 결과 온도가 {n}도 올라갈 때마다 반응 속도가 약 두 배가 되었다(그림 {m} 참조).",
        "“언제 돌아올 거야?” 하고 그녀가 물었다. “모두 저녁을 기다리고 있어.”",
        "첨부 파일에는 회의록과 재무제표, 그리고 현장 사진 {n}장이 들어 있습니다.",
        "민법 제{n}조에 따라 임대인은 목적물을 수선할 의무를 진다.",
        "그는 다음 주 시험을 생각하면서 강가를 천천히 걸었다.",
        "프로그램을 설치한 뒤에는 컴퓨터를 다시 시작하고 네트워크 설정을 확인하십시오.",
    ),
    "russian": (
        "Покупатель обязан в течение {n} дней с момента получения счёта перечислить продавцу {m} рублей.",
        "Настоящий договор вступает в силу со дня подписания и действует {n} месяцев.",
        "Вчера днём мы взяли в библиотеке несколько книг о старинной архитектуре.",
        "Все споры по настоящему договору рассматриваются Арбитражным судом города Москвы.",
        "Выручка компании в {n}-м квартале выросла на {m} % по сравнению с прошлым годом.",
        "Мама говорит, что весна в этом году ранняя и в саду уже цветут яблони.",
        "Опыты показали: при повышении температуры на {n} °C скорость реакции удваивается (рис. {m}).",
        "«Когда ты вернёшься? — спросила она. — Все ждут тебя к ужину».",
        "Во вложении вы найдёте протокол собрания, баланс и {n} фотографий.",
        "Согласно статье {n} Гражданского кодекса наймодатель обязан производить ремонт.",
        "Он медленно шёл вдоль реки и думал об экзамене, который будет на следующей неделе.",
        "После установки программы перезагрузите компьютер и проверьте настройки сети.",
    ),
    "western": (
        "L'acheteur s'engage à verser au vendeur la somme de {m} € dans un délai de {n} jours après réception.",
        "Le présent contrat prend effet à la date de sa signature ; il est conclu pour une durée de {n} mois.",
        "Gestern Nachmittag haben wir in der Bücherei ein paar Bücher über alte Gebäude ausgeliehen.",
        "Für alle Streitigkeiten aus diesem Vertrag ist das Landgericht Köln zuständig, § {n} BGB bleibt unberührt.",
        "Los ingresos de la compañía en el trimestre {n} crecieron un {m} % respecto del año anterior.",
        "Mamá dice que este año la primavera llegó pronto y que en el jardín ya florecen los almendros.",
        "Les essais ont montré que la vitesse de la réaction double à chaque élévation de {n} °C (voir la figure {m}).",
        "„Wann kommst du zurück?“, fragte sie. „Alle warten schon mit dem Abendessen auf dich.“",
        "Em anexo seguem a ata da reunião, o balanço e {n} fotografias; peço a confirmação da receção.",
        "Enligt {n} § hyreslagen är hyresvärden skyldig att hålla lägenheten i gott skick på egen bekostnad.",
        "« Où étais-tu ? » demanda-t-elle ; il marchait déjà le long de la rivière, songeant à l'examen.",
        "Nach der Installation des Programms müssen Sie den Rechner neu starten und die Netzwerkeinstellungen prüfen.",
    ),
}

ENCODINGS = (
    ("gb18030", "chinese"),
    ("big5", "taiwan"),
    ("shift_jis", "japanese"),
    ("euc_jp", "japanese"),
    ("euc_kr", "korean"),
    ("cp1251", "russian"),
    ("cp1252", "western"),
    ("utf-16", ""),
    ("utf-16-le", ""),
    ("utf-16-be", ""),
)
SHORTEST, LONGEST = 200, 2_000  # characters


class Sample(NamedTuple):
    encoding: str
    text: str

    @property
    def data(self) -> bytes:
        return self.text.encode(self.encoding)


def samples(count: int = 200, seed: int = 1) -> list[Sample]:
    """As many of each encoding, of every length from the shortest to the longest. A text breaks off anywhere."""
    chance = random.Random(seed)
    made = []
    for number in range(count):
        encoding, language = ENCODINGS[number % len(ENCODINGS)]
        written = language or list(SENTENCES)[number // len(ENCODINGS) % len(SENTENCES)]
        made.append(Sample(encoding, _written(written, encoding, chance.randint(SHORTEST, LONGEST), chance)))
    return made


def _written(language: str, encoding: str, length: int, chance: random.Random) -> str:
    text = ""
    while len(text) < length:
        sentence = chance.choice(SENTENCES[language]).format(n=chance.randint(2, 99), m=chance.randint(100, 99_999))
        gap = " " if language in ("korean", "russian", "western") else ""
        text += sentence + chance.choice((gap, gap, gap, "\n", "\n\n"))
    text = text[:length]
    # What the encoding has no sign for is written as people then do.
    return "".join(letter for letter in text if _has(encoding, letter))


def _has(encoding: str, letter: str) -> bool:
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
