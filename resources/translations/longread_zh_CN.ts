<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
    <context>
        <name>AboutPage</name>
        <message>
            <location filename="../../app/views/shortcuts.py" />
            <source>About Longread</source>
            <translation>关于 Longread</translation>
        </message>
        <message>
            <location filename="../../app/views/shortcuts.py" />
            <source>Built on Qt and PySide6 (LGPL-3.0), PyTorch, tokenizers, PDFium, SQLite and other free software.</source>
            <translation>基于 Qt 与 PySide6（LGPL-3.0）、PyTorch、tokenizers、PDFium、SQLite 以及其他自由软件构建。</translation>
        </message>
        <message>
            <location filename="../../app/views/shortcuts.py" />
            <source>Free software under the Apache License 2.0. Each model has a licence of its own, named in the list of models.</source>
            <translation>采用 Apache 许可证 2.0 的自由软件。每个模型有各自的许可证，见模型列表。</translation>
        </message>
        <message>
            <location filename="../../app/views/shortcuts.py" />
            <source>Licences of all libraries…</source>
            <translation>所有程序库的许可证…</translation>
        </message>
        <message>
            <location filename="../../app/views/shortcuts.py" />
            <source>Private, long-context chat over whole books, contracts and code, on your own computer.</source>
            <translation>在您自己的电脑上，就整本书、合同和代码进行私密的长上下文对话。</translation>
        </message>
        <message>
            <location filename="../../app/views/shortcuts.py" />
            <source>Version {version}</source>
            <translation>版本 {version}</translation>
        </message>
    </context>
    <context>
        <name>AnswerView</name>
        <message>
            <location filename="../../app/views/answer.py" />
            <source>Answer</source>
            <translation>回答</translation>
        </message>
        <message>
            <location filename="../../app/views/answer.py" />
            <source>Copy this answer</source>
            <translation>复制此回答</translation>
        </message>
        <message>
            <location filename="../../app/views/answer.py" />
            <source>Export this answer</source>
            <translation>导出此回答</translation>
        </message>
        <message>
            <location filename="../../app/views/answer.py" />
            <source>Stopped. What was found is kept, and so is what was read.</source>
            <translation>已停止。找到的内容和已读的内容都会保留。</translation>
        </message>
        <message>
            <location filename="../../app/views/answer.py" />
            <source>Stopped. What was read is kept: asking again goes on from there.</source>
            <translation>已停止。已读的内容会保留：再次提问时从那里继续。</translation>
        </message>
        <message>
            <location filename="../../app/views/answer.py" />
            <source>Stopped. What was written is kept, and so is what was read.</source>
            <translation>已停止。已生成的内容和已读的内容都会保留。</translation>
        </message>
        <message>
            <location filename="../../app/views/answer.py" />
            <source>The answer begins</source>
            <translation>回答开始</translation>
        </message>
        <message>
            <location filename="../../app/views/answer.py" />
            <source>The answer failed</source>
            <translation>回答失败</translation>
        </message>
        <message>
            <location filename="../../app/views/answer.py" />
            <source>The answer is complete</source>
            <translation>回答完毕</translation>
        </message>
        <message>
            <location filename="../../app/views/answer.py" />
            <source>The answer was stopped</source>
            <translation>回答已停止</translation>
        </message>
        <message>
            <location filename="../../app/views/answer.py" />
            <source>Waiting for the first word</source>
            <translation>正在等待首字</translation>
        </message>
        <message>
            <location filename="../../app/views/answer.py" />
            <source>What the attention read</source>
            <translation>注意力读到的内容</translation>
        </message>
        <message>
            <location filename="../../app/views/answer.py" />
            <source>Write this answer again</source>
            <translation>重新生成此回答</translation>
        </message>
    </context>
    <context>
        <name>Banner</name>
        <message>
            <location filename="../../app/views/banner.py" />
            <source>Close this message</source>
            <translation>关闭此消息</translation>
        </message>
    </context>
    <context>
        <name>ChangesPage</name>
        <message>
            <location filename="../../app/views/changes_page.py" />
            <source>Close</source>
            <translation>关闭</translation>
        </message>
        <message>
            <location filename="../../app/views/changes_page.py" />
            <source>Show more</source>
            <translation>显示更多</translation>
        </message>
        <message>
            <location filename="../../app/views/changes_page.py" />
            <source>What changed in {name}</source>
            <translation>{name} 的改动</translation>
        </message>
        <message>
            <location filename="../../app/views/changes_page.py" />
            <source>new version, {place}</source>
            <translation>新版本，{place}</translation>
        </message>
        <message>
            <location filename="../../app/views/changes_page.py" />
            <source>old version, {place}</source>
            <translation>旧版本，{place}</translation>
        </message>
    </context>
    <context>
        <name>Checks</name>
        <message>
            <location filename="../../app/views/checks.py" />
            <source>Calls the address with the key and the model above, as a program would, with a tiny question.</source>
            <translation>用上面的密钥和模型，像程序那样以一个极短的问题访问该地址。</translation>
        </message>
        <message>
            <location filename="../../app/views/checks.py" />
            <source>Check</source>
            <translation>检查</translation>
        </message>
        <message>
            <location filename="../../app/views/checks.py" />
            <source>Check the local API</source>
            <translation>检查本地 API</translation>
        </message>
        <message>
            <location filename="../../app/views/checks.py" />
            <source>in order</source>
            <translation>正常</translation>
        </message>
        <message>
            <location filename="../../app/views/checks.py" />
            <source>mind this</source>
            <translation>请注意</translation>
        </message>
        <message>
            <location filename="../../app/views/checks.py" />
            <source>not in order</source>
            <translation>有问题</translation>
        </message>
    </context>
    <context>
        <name>Chip</name>
        <message>
            <location filename="../../app/views/chips.py" />
            <source>Remove {name}</source>
            <translation>移除 {name}</translation>
        </message>
        <message>
            <location filename="../../app/views/quote_chips.py" />
            <source>and {n} more</source>
            <translation>另有 {n} 处</translation>
        </message>
        <message>
            <location filename="../../app/views/chips.py" />
            <source>{percent} read</source>
            <translation>已读 {percent}</translation>
        </message>
    </context>
    <context>
        <name>Chips</name>
        <message>
            <location filename="../../app/views/chips.py" />
            <source>Attached documents</source>
            <translation>附加的文档</translation>
        </message>
    </context>
    <context>
        <name>Composer</name>
        <message>
            <location filename="../../app/views/composer.py" />
            <source>Add documents</source>
            <translation>添加文档</translation>
        </message>
        <message>
            <location filename="../../app/views/composer.py" />
            <source>Ask</source>
            <translation>提问</translation>
        </message>
        <message>
            <location filename="../../app/views/composer.py" />
            <source>Ask about everything above…</source>
            <translation>就以上全部内容提问…</translation>
        </message>
        <message>
            <location filename="../../app/views/composer.py" />
            <source>Ask the question</source>
            <translation>提出问题</translation>
        </message>
        <message>
            <location filename="../../app/views/composer.py" />
            <source>Ctrl+Return</source>
            <translation>Ctrl+回车</translation>
        </message>
        <message>
            <location filename="../../app/views/composer.py" />
            <source>Esc</source>
            <translation>Esc</translation>
        </message>
        <message>
            <location filename="../../app/views/composer.py" />
            <source>Go over every part of the text</source>
            <translation>查遍全文的每个部分</translation>
        </message>
        <message>
            <location filename="../../app/views/composer.py" />
            <source>Question</source>
            <translation>问题</translation>
        </message>
        <message>
            <location filename="../../app/views/composer.py" />
            <source>Return</source>
            <translation>回车</translation>
        </message>
        <message>
            <location filename="../../app/views/composer.py" />
            <source>Stop</source>
            <translation>停止</translation>
        </message>
        <message>
            <location filename="../../app/views/composer.py" />
            <source>Stop the answer</source>
            <translation>停止回答</translation>
        </message>
    </context>
    <context>
        <name>ConversationRow</name>
        <message>
            <location filename="../../app/views/sidebar_rows.py" />
            <source>New name of the conversation</source>
            <translation>对话的新名称</translation>
        </message>
    </context>
    <context>
        <name>ConversationView</name>
        <message>
            <location filename="../../app/views/conversation.py" />
            <source>Conversation</source>
            <translation>对话</translation>
        </message>
    </context>
    <context>
        <name>ConversationsModel</name>
        <message>
            <location filename="../../app/models/conversations.py" />
            <source>New conversation</source>
            <translation>新对话</translation>
        </message>
        <message>
            <location filename="../../app/models/conversations.py" />
            <source>{title}, with an unsent draft</source>
            <translation>{title}，有未发送的草稿</translation>
        </message>
    </context>
    <context>
        <name>CopyButton</name>
        <message>
            <location filename="../../app/views/copy_button.py" />
            <source>Copied</source>
            <translation>已复制</translation>
        </message>
        <message>
            <location filename="../../app/views/copy_button.py" />
            <source>Copy</source>
            <translation>复制</translation>
        </message>
        <message>
            <location filename="../../app/views/copy_button.py" />
            <source>Copy: {what}</source>
            <translation>复制：{what}</translation>
        </message>
    </context>
    <context>
        <name>Cost</name>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>Apply costs nothing. From then on nothing that is read is written to the disk.</source>
            <translation>应用没有代价。此后阅读的内容都不会写入磁盘。</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>Apply costs nothing. From then on texts longer than the window are refused.</source>
            <translation>应用没有代价。此后超出窗口的文本会被拒绝。</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>Apply costs nothing: from the next question on everything is kept, and what was forgotten is read again.</source>
            <translation>应用没有代价：从下一个问题起保留全部内容，已遗忘的内容会重新阅读。</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>Apply costs nothing: used from the next answer on, and what was read stays read.</source>
            <translation>应用没有代价：从下一个回答起生效，已读的内容保持已读。</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>Apply costs nothing: used from the next question on, and what was read stays read.</source>
            <translation>应用没有代价：从下一个问题起生效，已读的内容保持已读。</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>Apply costs nothing: used from the next question on, when longer texts are read again ({what}).</source>
            <translation>应用没有代价：从下一个问题起生效，届时会重新阅读较长的文本（{what}）。</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>Apply costs nothing: used from the next question on, when texts are read anew and a part of them is forgotten.</source>
            <translation>应用没有代价：从下一个问题起使用，届时文本会重新阅读，其中一部分会被遗忘。</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>Apply costs nothing: what was read in blocks is read again at the next question.</source>
            <translation>应用无需代价：按块读取的内容会在下次提问时重新读取。</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>Apply loads the model anew ({what}). Documents are read again at the next question.</source>
            <translation>应用会重新加载模型（{what}）。下次提问时会重新阅读文档。</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>Apply loads the model anew ({what}). What was saved is opened again, the rest is read at the next question.</source>
            <translation>应用会重新加载模型（{what}）。已保存的内容会再次打开，其余内容在下次提问时阅读。</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>K/V precision</source>
            <translation>K/V 精度</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>Loading took {time} last time.</source>
            <translation>上次加载用了 {time}。</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>No window and no precision of this model would: choose a smaller model.</source>
            <translation>这个模型的任何窗口和精度都放不下：请选择更小的模型。</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>These settings are in use.</source>
            <translation>正在使用这些设置。</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>This does not fit.</source>
            <translation>放不下。</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>context window</source>
            <translation>上下文窗口</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>device</source>
            <translation>设备</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>how they are read</source>
            <translation>阅读方式</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>lightning layers</source>
            <translation>闪电注意力层</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>model</source>
            <translation>模型</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>overlap</source>
            <translation>重叠</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>piece</source>
            <translation>分块</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>precision</source>
            <translation>精度</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>segment length</source>
            <translation>段长</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>sparse layers</source>
            <translation>稀疏注意力层</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>stretching</source>
            <translation>拉伸</translation>
        </message>
        <message>
            <location filename="../../app/views/cost.py" />
            <source>threads</source>
            <translation>线程</translation>
        </message>
    </context>
    <context>
        <name>Curve</name>
        <message>
            <location filename="../../app/views/verify_pictures.py" />
            <source>A curve: {values}</source>
            <translation>曲线：{values}</translation>
        </message>
    </context>
    <context>
        <name>DeleteDialog</name>
        <message>
            <location filename="../../app/views/delete_dialog.py" />
            <source>1 conversation about it stays, with what it quotes, and goes on without it.</source>
            <translation>与它有关的 1 个对话会保留，连同其中的引文，此后在没有它的情况下继续。</translation>
        </message>
        <message>
            <location filename="../../app/views/delete_dialog.py" />
            <source>Delete for good</source>
            <translation>永久删除</translation>
        </message>
        <message>
            <location filename="../../app/views/delete_dialog.py" />
            <source>Delete for good?</source>
            <translation>永久删除？</translation>
        </message>
        <message>
            <location filename="../../app/views/delete_dialog.py" />
            <source>Delete {names} for good?</source>
            <translation>永久删除 {names}？</translation>
        </message>
        <message>
            <location filename="../../app/views/delete_dialog.py" />
            <source>It leaves these matters: {names}.</source>
            <translation>它会从这些事项中移除：{names}。</translation>
        </message>
        <message>
            <location filename="../../app/views/delete_dialog.py" />
            <source>Keep</source>
            <translation>保留</translation>
        </message>
        <message>
            <location filename="../../app/views/delete_dialog.py" />
            <source>The kept text ({n} characters) goes, and what the search knows of it.</source>
            <translation>保存的文本（{n} 个字符）会被删除，查找所用的相关索引也会被删除。</translation>
        </message>
        <message>
            <location filename="../../app/views/delete_dialog.py" />
            <source>The original files are not touched.</source>
            <translation>原始文件不受影响。</translation>
        </message>
        <message>
            <location filename="../../app/views/delete_dialog.py" />
            <source>This cannot be undone.</source>
            <translation>此操作无法撤销。</translation>
        </message>
        <message>
            <location filename="../../app/views/delete_dialog.py" />
            <source>What was read of it goes: {size} on the disk.</source>
            <translation>已读的内容会被删除：磁盘上 {size}。</translation>
        </message>
        <message>
            <location filename="../../app/views/delete_dialog.py" />
            <source>{n} conversations about it stay, with what they quote, and go on without it.</source>
            <translation>与它有关的 {n} 个对话会保留，连同其中的引文，此后在没有它的情况下继续。</translation>
        </message>
    </context>
    <context>
        <name>DocumentFoot</name>
        <message>
            <location filename="../../app/views/document_foot.py" />
            <source>Go to page</source>
            <translation>转到页面</translation>
        </message>
        <message>
            <location filename="../../app/views/document_foot.py" />
            <source>Next page</source>
            <translation>下一页</translation>
        </message>
        <message>
            <location filename="../../app/views/document_foot.py" />
            <source>Previous page</source>
            <translation>上一页</translation>
        </message>
        <message>
            <location filename="../../app/views/document_foot.py" />
            <source>of {n}</source>
            <translation>共 {n}</translation>
        </message>
    </context>
    <context>
        <name>DocumentView</name>
        <message>
            <location filename="../../app/views/document_view.py" />
            <source> · part {part} of {parts}</source>
            <translation> · 第 {part} 部分，共 {parts} 部分</translation>
        </message>
        <message>
            <location filename="../../app/views/document_view.py" />
            <source>Choose a document on the left to see its pages here, as they are read.</source>
            <translation>在左侧选择一个文档，即可在此查看它被阅读时的各页。</translation>
        </message>
        <message>
            <location filename="../../app/views/document_view.py" />
            <source>There is no page {label}</source>
            <translation>没有第 {label} 页</translation>
        </message>
        <message>
            <location filename="../../app/views/document_view.py" />
            <source>{label} (index {n})</source>
            <translation>{label}（序号 {n}）</translation>
        </message>
    </context>
    <context>
        <name>DrawnPage</name>
        <message>
            <location filename="../../app/views/drawn_page.py" />
            <source>Page as printed</source>
            <translation>原版式页面</translation>
        </message>
    </context>
    <context>
        <name>DropOverlay</name>
        <message>
            <location filename="../../app/views/overlay.py" />
            <source>1 file</source>
            <translation>1 个文件</translation>
        </message>
        <message>
            <location filename="../../app/views/overlay.py" />
            <source>1 folder</source>
            <translation>1 个文件夹</translation>
        </message>
        <message>
            <location filename="../../app/views/overlay.py" />
            <source>Drop to read in full</source>
            <translation>松开即可全文阅读</translation>
        </message>
        <message>
            <location filename="../../app/views/overlay.py" />
            <source>{files} and {folders}</source>
            <translation>{files}和{folders}</translation>
        </message>
        <message>
            <location filename="../../app/views/overlay.py" />
            <source>{n} files</source>
            <translation>{n} 个文件</translation>
        </message>
        <message>
            <location filename="../../app/views/overlay.py" />
            <source>{n} folders</source>
            <translation>{n} 个文件夹</translation>
        </message>
        <message>
            <location filename="../../app/views/overlay.py" />
            <source>{what} · you will see what is read before anything starts</source>
            <translation>{what} · 开始之前会先列出将要阅读的内容</translation>
        </message>
    </context>
    <context>
        <name>EveryPart</name>
        <message>
            <location filename="../../app/views/every_part.py" />
            <source>Answer from the likeliest segments</source>
            <translation>根据最可能的段回答</translation>
        </message>
        <message>
            <location filename="../../app/views/every_part.py" />
            <source>Asked of each part</source>
            <translation>对每个部分提问</translation>
        </message>
        <message>
            <location filename="../../app/views/every_part.py" />
            <source>Each of about {n} parts is asked by itself</source>
            <translation>对约 {n} 个部分逐一单独提问</translation>
        </message>
        <message>
            <location filename="../../app/views/every_part.py" />
            <source>Go over every part</source>
            <translation>查遍每个部分</translation>
        </message>
        <message>
            <location filename="../../app/views/every_part.py" />
            <source>Goes over every part of the text</source>
            <translation>将查遍全文的每个部分</translation>
        </message>
        <message>
            <location filename="../../app/views/every_part.py" />
            <source>Question for each part</source>
            <translation>对每个部分提出的问题</translation>
        </message>
        <message>
            <location filename="../../app/views/every_part.py" />
            <source>This asks for all of the text. Go over every part?</source>
            <translation>这个问题涉及全文。要查遍每个部分吗？</translation>
        </message>
        <message>
            <location filename="../../app/views/every_part.py" />
            <source>made from the question</source>
            <translation>由问题得出</translation>
        </message>
        <message>
            <location filename="../../app/views/every_part.py" />
            <source>{said}, which takes about {time}</source>
            <translation>{said}，约需 {time}</translation>
        </message>
        <message>
            <location filename="../../app/views/every_part.py" />
            <source>{said}. What they find is shown with its pages, and the answer is written from it.</source>
            <translation>{said}。找到的内容会连同页码一起显示，回答据此生成。</translation>
        </message>
    </context>
    <context>
        <name>EvidenceController</name>
        <message>
            <location filename="../../app/controller/evidence.py" />
            <source>It could not be asked now. Try again when the engine runs.</source>
            <translation>现在无法提问。请在引擎运行后重试。</translation>
        </message>
        <message>
            <location filename="../../app/controller/evidence.py" />
            <source>The text of this document is not kept any more.</source>
            <translation>此文档的文本已不再保存。</translation>
        </message>
    </context>
    <context>
        <name>EvidenceView</name>
        <message>
            <location filename="../../app/views/evidence_view.py" />
            <source>Segments come first by how well they foretold the question.</source>
            <translation>先按各段解释问题的程度排序。</translation>
        </message>
        <message>
            <location filename="../../app/views/evidence_view.py" />
            <source>This answer was written at {host}. What a model's attention read is known for models of this computer alone. Its quotes were checked here, as always.</source>
            <translation>此回答由 {host} 写出。只有这台电脑的模型才能得知注意力读了什么。引文照常在这台电脑核对。</translation>
        </message>
        <message>
            <location filename="../../app/views/evidence_view.py" />
            <source>What the attention read</source>
            <translation>注意力读到的内容</translation>
        </message>
        <message>
            <location filename="../../app/views/evidence_view.py" />
            <source>What the attention read, sentence by sentence, the most read first. It shows where the model looked, not why it wrote what it did.</source>
            <translation>逐句列出注意力读到的内容，读得最多的在前。它说明模型看了哪里，而不是模型为何这样写。</translation>
        </message>
        <message>
            <location filename="../../app/views/evidence_view.py" />
            <source>When an answer has been written, this shows which passages the attention read most for each of its sentences.</source>
            <translation>回答生成后，这里会显示注意力为其中每一句读得最多的段落。</translation>
        </message>
    </context>
    <context>
        <name>ExportController</name>
        <message>
            <location filename="../../app/controller/exporting.py" />
            <source>Conversation</source>
            <translation>对话</translation>
        </message>
        <message>
            <location filename="../../app/controller/exporting.py" />
            <source>Export</source>
            <translation>导出</translation>
        </message>
        <message>
            <location filename="../../app/controller/exporting.py" />
            <source>Markdown (*.md)</source>
            <translation>Markdown 文件 (*.md)</translation>
        </message>
        <message>
            <location filename="../../app/controller/exporting.py" />
            <source>PDF (*.pdf)</source>
            <translation>PDF 文件 (*.pdf)</translation>
        </message>
        <message>
            <location filename="../../app/controller/exporting.py" />
            <source>Word (*.docx)</source>
            <translation>Word 文件 (*.docx)</translation>
        </message>
    </context>
    <context>
        <name>ExportDialog</name>
        <message>
            <location filename="../../app/views/export_dialog.py" />
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <location filename="../../app/views/export_dialog.py" />
            <source>Choose a folder…</source>
            <translation>选择文件夹…</translation>
        </message>
        <message>
            <location filename="../../app/views/export_dialog.py" />
            <source>Copies of the original files, where they are still what was read</source>
            <translation>原始文件的副本，仅限与已读内容仍一致的文件</translation>
        </message>
        <message>
            <location filename="../../app/views/export_dialog.py" />
            <source>Export {documents}</source>
            <translation>导出 {documents}</translation>
        </message>
        <message>
            <location filename="../../app/views/export_dialog.py" />
            <source>Nothing is overwritten: where a name is taken, a number is added.</source>
            <translation>不会覆盖任何文件：名称已被占用时会加上编号。</translation>
        </message>
        <message>
            <location filename="../../app/views/export_dialog.py" />
            <source>The text, with a mark before each page, and a JSON file for programs</source>
            <translation>文本，每页之前带有标记，并附供程序使用的 JSON 文件</translation>
        </message>
    </context>
    <context>
        <name>FailureCard</name>
        <message>
            <location filename="../../app/views/failure.py" />
            <source>Add the document again</source>
            <translation>重新添加该文档</translation>
        </message>
        <message>
            <location filename="../../app/views/failure.py" />
            <source>Ask again</source>
            <translation>再次提问</translation>
        </message>
        <message>
            <location filename="../../app/views/failure.py" />
            <source>Change the server</source>
            <translation>更改服务器</translation>
        </message>
        <message>
            <location filename="../../app/views/failure.py" />
            <source>Change what is kept</source>
            <translation>更改保留的内容</translation>
        </message>
        <message>
            <location filename="../../app/views/failure.py" />
            <source>Choose another model</source>
            <translation>选择其他模型</translation>
        </message>
        <message>
            <location filename="../../app/views/failure.py" />
            <source>Keep everything</source>
            <translation>保留全部</translation>
        </message>
        <message>
            <location filename="../../app/views/failure.py" />
            <source>Read it in segments</source>
            <translation>分段阅读</translation>
        </message>
        <message>
            <location filename="../../app/views/failure.py" />
            <source>Remove a document</source>
            <translation>移除一个文档</translation>
        </message>
        <message>
            <location filename="../../app/views/failure.py" />
            <source>Use a larger window</source>
            <translation>使用更大的窗口</translation>
        </message>
        <message>
            <location filename="../../app/views/failure.py" />
            <source>Use a smaller precision</source>
            <translation>使用更低的精度</translation>
        </message>
        <message>
            <location filename="../../app/views/failure.py" />
            <source>Use a smaller window</source>
            <translation>使用更小的窗口</translation>
        </message>
    </context>
    <context>
        <name>FindBar</name>
        <message>
            <location filename="../../app/views/find_bar.py" />
            <source>Close the search</source>
            <translation>关闭查找</translation>
        </message>
        <message>
            <location filename="../../app/views/find_bar.py" />
            <source>Find here</source>
            <translation>在此查找</translation>
        </message>
        <message>
            <location filename="../../app/views/find_bar.py" />
            <source>Next match</source>
            <translation>下一个匹配</translation>
        </message>
        <message>
            <location filename="../../app/views/find_bar.py" />
            <source>Previous match</source>
            <translation>上一个匹配</translation>
        </message>
        <message>
            <location filename="../../app/views/find_bar.py" />
            <source>not found</source>
            <translation>未找到</translation>
        </message>
        <message>
            <location filename="../../app/views/find_bar.py" />
            <source>{which} of {n}</source>
            <translation>第 {which} 个，共 {n} 个</translation>
        </message>
    </context>
    <context>
        <name>Findings</name>
        <message>
            <location filename="../../app/views/findings.py" />
            <source>FOUND · {n}</source>
            <translation>找到 · {n}</translation>
        </message>
        <message>
            <location filename="../../app/views/findings.py" />
            <source>Found in the parts of the text</source>
            <translation>在文本各部分中找到的内容</translation>
        </message>
        <message>
            <location filename="../../app/views/findings.py" />
            <source>Nothing certain yet.</source>
            <translation>尚无确定的内容。</translation>
        </message>
        <message>
            <location filename="../../app/views/findings.py" />
            <source>Nothing that the model was certain of.</source>
            <translation>没有模型确定的内容。</translation>
        </message>
        <message>
            <location filename="../../app/views/findings.py" />
            <source>Show all {n}</source>
            <translation>显示全部 {n} 项</translation>
        </message>
        <message>
            <location filename="../../app/views/findings.py" />
            <source>UNCERTAIN · {n}</source>
            <translation>不确定 · {n}</translation>
        </message>
    </context>
    <context>
        <name>FirstRun</name>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>A GPU with {memory} GB ({name}).</source>
            <translation>显卡显存 {memory} GB（{name}）。</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>A LARGER MODEL THAT FITS</source>
            <translation>适合本机的更大模型</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>Download the model, {size}</source>
            <translation>下载模型，{size}</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>Download {size}</source>
            <translation>下载 {size}</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>Drop a book, a contract or a folder of code on the window, and ask. It is read in full, and nothing of it leaves this computer.</source>
            <translation>把一本书、一份合同或一个代码文件夹拖到窗口上，然后提问。内容会被全文阅读，任何部分都不会离开这台电脑。</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>It is small ({size}) and quick. It does not reason, and it can be wrong: check what it says against the page. Longer texts are read in segments, and it answers from those that fit the question best; nothing is cut.</source>
            <translation>它小巧（{size}）而快速。它不会推理，也可能出错：请对照原页核实它的话。更长的文本会分段阅读，并根据最切合问题的段落作答；绝不截断。</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>Looking at what this computer can do…</source>
            <translation>正在了解这台电脑的能力…</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>Read whole documents, on this computer</source>
            <translation>在这台电脑上阅读完整的文档</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>Start</source>
            <translation>开始</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>THE MODEL THAT COMES WITH LONGREAD</source>
            <translation>LONGREAD 自带的模型</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>THIS COMPUTER</source>
            <translation>这台电脑</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>The model must be on this computer first</source>
            <translation>模型必须先在这台电脑上</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>The small model reads texts of up to {tokens} here, and {longest} fits.</source>
            <translation>小模型在这台电脑上可阅读最多 {tokens}的文本，{longest} 也装得下。</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>The small model reads texts of up to {tokens} here; {longest} needs a GPU with {needs} GB.</source>
            <translation>小模型在这台电脑上可阅读最多 {tokens}的文本；{longest} 需要显存 {needs} GB 的显卡。</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>The small model reads texts of up to {tokens} here; {longest} needs {needs} GB.</source>
            <translation>小模型在这台电脑上可阅读最多 {tokens}的文本；{longest} 需要 {needs} GB。</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>Try a sample document</source>
            <translation>试试示例文档</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>about {time} to download</source>
            <translation>下载约需 {time}</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>checking that it arrived whole</source>
            <translation>正在检查是否完整</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>from {s}</source>
            <translation>来自 {s}</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>on this computer now</source>
            <translation>现已在这台电脑上</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>paused; what arrived is kept</source>
            <translation>已暂停；已下载的部分会保留</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>slow without a GPU</source>
            <translation>没有显卡时较慢</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>the download stopped; what arrived is kept</source>
            <translation>下载已停止；已下载的部分会保留</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>{done} of {total}</source>
            <translation>{done} / {total}</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>{memory} GB of memory, no GPU in use ({name}).</source>
            <translation>内存 {memory} GB，未使用显卡（{name}）。</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>{size}/s</source>
            <translation>{size}/秒</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>{time} left</source>
            <translation>剩余 {time}</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>{title} reads up to {tokens}, about {pages} pages, and reasons better.</source>
            <translation>{title} 最多可读 {tokens}，约 {pages} 页，推理也更好。</translation>
        </message>
        <message>
            <location filename="../../app/views/first_run.py" />
            <source>{title}: finds facts and quotes in up to {tokens}, about {pages} pages at once.</source>
            <translation>{title}：一次可在最多 {tokens}（约 {pages} 页）中查找事实和引文。</translation>
        </message>
    </context>
    <context>
        <name>Forecast</name>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>An answer sees {n} of them at most.</source>
            <translation>一个回答最多看到其中 {n} 个词元。</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>Every text is read in segments.</source>
            <translation>所有文本都分段阅读。</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>It needs nothing of this computer's memory.</source>
            <translation>不占用这台电脑的内存。</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>Keys and values of a full window</source>
            <translation>窗口填满时的键和值</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>Memory that will be needed</source>
            <translation>将需要的内存</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>States</source>
            <translation>状态</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>Texts of any length are read whole; what is not newest is forgotten.</source>
            <translation>任意长度的文本都整体阅读；不是最新的内容会被遗忘。</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>Texts of more than {window} are read in segments of {n}.</source>
            <translation>超过 {window}的文本按每段 {n} 个词元分段阅读。</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>Texts of more than {window} are read in segments.</source>
            <translation>超过 {window}的文本会分段阅读。</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>Texts of more than {window} are refused.</source>
            <translation>超过 {window}的文本会被拒绝。</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>Weights</source>
            <translation>权重</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>Weights {weights} · K/V {kv} · states {states}</source>
            <translation>权重 {weights} · K/V {kv} · 状态 {states}</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>What this will need is not known yet.</source>
            <translation>尚不知道需要多少资源。</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>When all attached documents must be read again</source>
            <translation>当所有附加的文档都必须重新阅读时</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>Will need {needed} GB of {available} GB free</source>
            <translation>将需要 {needed} GB，可用 {available} GB</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>Working memory and the engine itself</source>
            <translation>工作内存和引擎本身</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>first word ≈ {time} cold</source>
            <translation>冷启动首字 ≈ {time}</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>{size} of K/V</source>
            <translation>K/V {size}</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>{tokens} are read in segments.</source>
            <translation>{tokens}会分段阅读。</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>{tokens} fit the window and are read whole.</source>
            <translation>窗口可容纳这 {tokens}，会整体阅读。</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>{tokens} in about {n} segments</source>
            <translation>{tokens}，约 {n} 段</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>× Every text is to be read in segments, and what is looked at is of whole ones: refused.</source>
            <translation>× 已设为所有文本都分段阅读，而只看一部分仅适用于整体阅读的文本：会被拒绝。</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>× Would need {needed} GB; {available} GB are free</source>
            <translation>× 需要 {needed} GB；可用 {available} GB</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>× {tokens} are more than the window holds, and what is looked at is of whole texts: refused.</source>
            <translation>× {tokens}超出窗口容量，而只看一部分仅适用于整体阅读的文本：会被拒绝。</translation>
        </message>
        <message>
            <location filename="../../app/views/forecast.py" />
            <source>× {tokens} are more than the window holds: refused.</source>
            <translation>× {tokens}超出窗口容量：会被拒绝。</translation>
        </message>
    </context>
    <context>
        <name>Forget</name>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Forget all readings</source>
            <translation>忘记所有阅读结果</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Forget all readings, {size}, for good? Your documents and conversations stay; a document is read again when you ask about it.</source>
            <translation>永久忘记所有阅读结果（{size}）？您的文档和对话会保留；就某个文档提问时会重新阅读它。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Forget them</source>
            <translation>忘记</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Keep them</source>
            <translation>保留</translation>
        </message>
    </context>
    <context>
        <name>ForgetDialog</name>
        <message>
            <location filename="../../app/views/forget_dialog.py" />
            <source>Forget this reading</source>
            <translation>忘记此阅读结果</translation>
        </message>
        <message>
            <location filename="../../app/views/forget_dialog.py" />
            <source>Forget this reading?</source>
            <translation>忘记此阅读结果？</translation>
        </message>
        <message>
            <location filename="../../app/views/forget_dialog.py" />
            <source>Forget what was read of {name}?</source>
            <translation>忘记 {name} 的已读内容？</translation>
        </message>
        <message>
            <location filename="../../app/views/forget_dialog.py" />
            <source>It leaves memory, and {size} on the disk are deleted for good.</source>
            <translation>它会从内存中移除，磁盘上的 {size} 会被永久删除。</translation>
        </message>
        <message>
            <location filename="../../app/views/forget_dialog.py" />
            <source>It leaves memory; nothing of it is on the disk.</source>
            <translation>它会从内存中移除；磁盘上没有它的任何内容。</translation>
        </message>
        <message>
            <location filename="../../app/views/forget_dialog.py" />
            <source>Keep it</source>
            <translation>保留</translation>
        </message>
        <message>
            <location filename="../../app/views/forget_dialog.py" />
            <source>The document and your conversations stay.</source>
            <translation>文档和您的对话会保留。</translation>
        </message>
        <message>
            <location filename="../../app/views/forget_dialog.py" />
            <source>The next question about it reads it again, which takes about {time}.</source>
            <translation>下次就它提问时会重新阅读，约需 {time}。</translation>
        </message>
        <message>
            <location filename="../../app/views/forget_dialog.py" />
            <source>The next question about it reads it again.</source>
            <translation>下次就它提问时会重新阅读。</translation>
        </message>
        <message>
            <location filename="../../app/views/forget_dialog.py" />
            <source>This cannot be undone.</source>
            <translation>此操作无法撤销。</translation>
        </message>
        <message>
            <location filename="../../app/views/forget_dialog.py" />
            <source>What was read together with it goes too: {names}.</source>
            <translation>与它一起阅读的内容也会被忘记：{names}。</translation>
        </message>
    </context>
    <context>
        <name>ForgottenStrip</name>
        <message>
            <location filename="../../app/views/forgotten_strip.py" />
            <source>The stronger the colour, the more of the place was forgotten; those that lost most come first</source>
            <translation>颜色越深，该处被遗忘得越多；遗忘最多的排在最前</translation>
        </message>
        <message>
            <location filename="../../app/views/forgotten_strip.py" />
            <source>What was forgotten</source>
            <translation>被遗忘的内容</translation>
        </message>
    </context>
    <context>
        <name>FoundModel</name>
        <message>
            <location filename="../../app/models/conversations.py" />
            <source>New conversation</source>
            <translation>新对话</translation>
        </message>
    </context>
    <context>
        <name>FoundTextsModel</name>
        <message>
            <location filename="../../app/models/found_texts.py" />
            <source>the other words stand elsewhere in it</source>
            <translation>其余词语在文档的其他位置</translation>
        </message>
    </context>
    <context>
        <name>GatewayPage</name>
        <message>
            <location filename="../../app/views/gateway_page.py" />
            <source>ADDRESS</source>
            <translation>地址</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_page.py" />
            <source>CHECK</source>
            <translation>检查</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_page.py" />
            <source>CONNECT A PROGRAM</source>
            <translation>连接程序</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_page.py" />
            <source>Editors and other programs can ask what you ask here, over the documents that are already read: in OpenAI's or Anthropic's protocol, at one address, each with a key of its own.</source>
            <translation>编辑器和其他程序可以像您在这里一样，就已读过的文档提问：使用 OpenAI 或 Anthropic 的协议，同一个地址，每个程序用自己的密钥。</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_page.py" />
            <source>KEYS</source>
            <translation>密钥</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_page.py" />
            <source>Local API</source>
            <translation>本地 API</translation>
        </message>
    </context>
    <context>
        <name>GatewayState</name>
        <message>
            <location filename="../../app/views/gateway_state.py" />
            <source>Every device that reaches this computer can try a key here, and connections are not encrypted: keys, questions and answers can be read on their way.</source>
            <translation>凡能访问这台电脑的设备都可以在此尝试密钥，而且连接未加密：密钥、问题和回答在途中可被读取。</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_state.py" />
            <source>Every device that reaches this computer can try a key here. Connections are encrypted; who has a key gets answers from your documents.</source>
            <translation>凡能访问这台电脑的设备都可以在此尝试密钥。连接已加密；持有密钥者可得到出自您文档的回答。</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_state.py" />
            <source>Not running</source>
            <translation>未运行</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_state.py" />
            <source>Nothing listens, and no program can ask.</source>
            <translation>没有任何监听，程序无法提问。</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_state.py" />
            <source>Off</source>
            <translation>已关闭</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_state.py" />
            <source>On, and open to your network</source>
            <translation>已开启，并向您的网络开放</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_state.py" />
            <source>On, for this computer alone</source>
            <translation>已开启，仅限这台电脑</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_state.py" />
            <source>Programs on this computer can ask, each with a key of yours.</source>
            <translation>这台电脑上的程序可以提问，各自使用您给的密钥。</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_state.py" />
            <source>Starting…</source>
            <translation>正在启动…</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_state.py" />
            <source>Switch off</source>
            <translation>关闭</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_state.py" />
            <source>Switch on</source>
            <translation>开启</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_state.py" />
            <source>Switch the local API off</source>
            <translation>关闭本地 API</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_state.py" />
            <source>Switch the local API on</source>
            <translation>开启本地 API</translation>
        </message>
    </context>
    <context>
        <name>GatewayWhere</name>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>A certificate and its key, as PEM files</source>
            <translation>证书及其私钥，PEM 文件</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>A certificate that Longread makes on this computer</source>
            <translation>由 Longread 在这台电脑上生成的证书</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>Address of the local API</source>
            <translation>本地 API 的地址</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>Certificate (PEM)</source>
            <translation>证书（PEM）</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>Encryption</source>
            <translation>加密</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>For a name of your own, from an authority that those computers trust already.</source>
            <translation>用于您自己的域名，由那些电脑已信任的机构签发。</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>Its private key (PEM)</source>
            <translation>其私钥（PEM）</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>Keys, questions and answers can be read on their way</source>
            <translation>密钥、问题和回答在途中可被读取</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>Made here</source>
            <translation>在此生成</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>My own</source>
            <translation>我自己的</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>Names</source>
            <translation>名称</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>Names by which other computers call this one, beside its addresses. Separate them by commas.</source>
            <translation>除地址之外，其他电脑称呼这台电脑的名称。用逗号分隔。</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>None</source>
            <translation>无</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>Only programs on this computer can connect</source>
            <translation>只有这台电脑上的程序可以连接</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>Other computers can connect, with a key</source>
            <translation>其他电脑可凭密钥连接</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>Other computers must be told to trust the certificate; the settings for programs below name its file.</source>
            <translation>须让其他电脑信任该证书；下面的程序设置中写有证书文件。</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>Other computers reach it at another address: {addresses}.</source>
            <translation>其他电脑请用另外的地址：{addresses}。</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>Port</source>
            <translation>端口</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>Programs want it in different forms; all of these are understood: {address}, and with /v1, /api or /api/v1 at its end.</source>
            <translation>各程序要求的形式不同；以下都可以：{address}，以及末尾加 /v1、/api 或 /api/v1。</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>This computer alone</source>
            <translation>仅这台电脑</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>Who can reach it</source>
            <translation>谁可以访问</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>Your network</source>
            <translation>您的网络</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>such as ada.office.example</source>
            <translation>例如 ada.office.example</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>the address</source>
            <translation>地址</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>⚠ Keys, questions and answers can be read by everybody on the way.</source>
            <translation>⚠ 密钥、问题和回答在途中可被任何人读取。</translation>
        </message>
    </context>
    <context>
        <name>HeatMap</name>
        <message>
            <location filename="../../app/views/verify_pictures.py" />
            <source>A map of lengths and depths: {found} of {of} found</source>
            <translation>长度与深度图：{of} 个中找到 {found} 个</translation>
        </message>
    </context>
    <context>
        <name>HistoryPopup</name>
        <message>
            <location filename="../../app/views/history_popup.py" />
            <source>First word</source>
            <translation>首字</translation>
        </message>
        <message>
            <location filename="../../app/views/history_popup.py" />
            <source>Free</source>
            <translation>空闲</translation>
        </message>
        <message>
            <location filename="../../app/views/history_popup.py" />
            <source>History of this session</source>
            <translation>本次运行的历史</translation>
        </message>
        <message>
            <location filename="../../app/views/history_popup.py" />
            <source>Keys and values of what was read</source>
            <translation>已读内容的键和值</translation>
        </message>
        <message>
            <location filename="../../app/views/history_popup.py" />
            <source>Memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <location filename="../../app/views/history_popup.py" />
            <source>Other programs and the system</source>
            <translation>其他程序和系统</translation>
        </message>
        <message>
            <location filename="../../app/views/history_popup.py" />
            <source>Reading</source>
            <translation>阅读</translation>
        </message>
        <message>
            <location filename="../../app/views/history_popup.py" />
            <source>States</source>
            <translation>状态</translation>
        </message>
        <message>
            <location filename="../../app/views/history_popup.py" />
            <source>This session</source>
            <translation>本次运行</translation>
        </message>
        <message>
            <location filename="../../app/views/history_popup.py" />
            <source>Weights</source>
            <translation>权重</translation>
        </message>
        <message>
            <location filename="../../app/views/history_popup.py" />
            <source>Window</source>
            <translation>窗口</translation>
        </message>
        <message>
            <location filename="../../app/views/history_popup.py" />
            <source>Writing</source>
            <translation>生成</translation>
        </message>
        <message>
            <location filename="../../app/views/history_popup.py" />
            <source>nothing yet</source>
            <translation>尚无数据</translation>
        </message>
        <message>
            <location filename="../../app/views/history_popup.py" />
            <source>{last} · longest {most}</source>
            <translation>{last} · 最长 {most}</translation>
        </message>
        <message>
            <location filename="../../app/views/history_popup.py" />
            <source>{last} · most {most}</source>
            <translation>{last} · 最高 {most}</translation>
        </message>
        <message>
            <location filename="../../app/views/history_popup.py" />
            <source>{n} GB</source>
            <translation>{n} GB</translation>
        </message>
    </context>
    <context>
        <name>Instruments</name>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>/ {total} GB</source>
            <translation>/ {total} GB</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>First word</source>
            <translation>首字</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>Free</source>
            <translation>空闲</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>GPU memory</source>
            <translation>显存</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>Instruments</source>
            <translation>仪表</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>Kept · forgotten</source>
            <translation>保留 · 遗忘</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>Keys and values</source>
            <translation>键和值</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>Memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>No model loaded</source>
            <translation>未加载模型</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>Other programs and the system</source>
            <translation>其他程序和系统</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>Reading</source>
            <translation>阅读</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>States</source>
            <translation>状态</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>Weights</source>
            <translation>权重</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>What the model takes at {host} is not told</source>
            <translation>{host} 未告知模型占用多少</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>Window</source>
            <translation>窗口</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>Writing</source>
            <translation>生成</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>engine not started</source>
            <translation>引擎未启动</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>loading the model</source>
            <translation>正在加载模型</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>ready</source>
            <translation>就绪</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>starting the engine</source>
            <translation>正在启动引擎</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>starting the engine again</source>
            <translation>正在重新启动引擎</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>the engine stays stopped</source>
            <translation>引擎保持停止</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>waiting for the first word</source>
            <translation>正在等待首字</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>{kinds} layers</source>
            <translation>{kinds}层</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>{n} MoBA</source>
            <translation>{n} 个 MoBA</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>{n} NSA</source>
            <translation>{n} 个 NSA</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>{n} full-attention</source>
            <translation>{n} 个全注意力</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>{n} lightning</source>
            <translation>{n} 个闪电注意力</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>{n} sparse</source>
            <translation>{n} 个稀疏注意力</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>{part}: {size}</source>
            <translation>{part}：{size}</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>{rows} tokens kept in every head, {forgotten} forgotten</source>
            <translation>每个注意力头保留 {rows} 个词元，遗忘 {forgotten} 个</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>{time} after the last question</source>
            <translation>上次提问后 {time}</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>{used} of {window} tokens used</source>
            <translation>已用 {used} / {window} 个词元</translation>
        </message>
        <message>
            <location filename="../../app/views/instruments.py" />
            <source>{used} tokens used; the window is not told</source>
            <translation>已用 {used} 个词元；窗口大小未告知</translation>
        </message>
    </context>
    <context>
        <name>KeepingController</name>
        <message>
            <location filename="../../app/controller/keeping.py" />
            <source>Export into a folder</source>
            <translation>导出到文件夹</translation>
        </message>
    </context>
    <context>
        <name>KeptSection</name>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>A full window's K/V: at most {held} in place of {all}: {saved} less.</source>
            <translation>整个窗口的 K/V：最多 {held}，而不是 {all}：少 {saved}。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>A full window's K/V: {all} all the same; only writing is faster.</source>
            <translation>整个窗口的 K/V：仍为 {all}；只有写作更快。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>A full window's K/V: {all} while it is read, then at most {held}: {saved} less.</source>
            <translation>整个窗口的 K/V：阅读时 {all}，之后最多 {held}：少 {saved}。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>A policy keeps some of a text's keys and values and forgets the rest: less memory and faster writing, and what is gone is gone. Each answer says what was forgotten, and of which pages.</source>
            <translation>策略保留文本的一部分键和值，遗忘其余部分：内存更少，写作更快，而遗忘的不会再回来。每个回答都会说明遗忘了多少，以及属于哪些页。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>All that is kept</source>
            <translation>保留的全部内容</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>As things are set, nothing is saved.</source>
            <translation>按当前设置，不会节省任何内存。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>Every text is to be read in segments, as is set below: then a policy has nothing to choose, and questions would be refused.</source>
            <translation>按下方的设置，所有文本都分段阅读：这时策略无可选择，问题会被拒绝。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>Every token sees everything before it.</source>
            <translation>每个词元都能看到它之前的全部内容。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>Everything</source>
            <translation>全部</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>Everything, and a part is looked at</source>
            <translation>全部保留，只看一部分</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>For models that choose blocks: keeps those that were chosen most. Good for long texts and answers; what nothing has asked for yet is lost.</source>
            <translation>用于自行选择块的模型：保留被选择最多的块。适合长文本和长回答；尚未被问及的内容会丢失。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>From 12,288 tokens on each written token looks at the rows that may matter most to it (Quest): long texts are answered faster, and nothing is forgotten. Texts must fit the window; no policy beside it.</source>
            <translation>从 12,288 个词元起，每个写出的词元只看对它可能最重要的行（Quest）：长文本的回答更快，且不会遗忘任何内容。文本必须能放入窗口；不能与策略同用。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>From 16,384 tokens on what is read looks at the blocks that matter most (XAttention): long texts are read faster and less exactly, and not kept on disk. Texts must fit the window; no policy beside it.</source>
            <translation>从 16,384 个词元起，读取时只看最重要的块（XAttention）：长文本读取更快但不够精确，且不保存到磁盘。文本必须能放入窗口；不能与策略同用。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>Keep everything</source>
            <translation>保留全部</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>Keep of a text</source>
            <translation>文本的保留比例</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>Keep {n} % of a text</source>
            <translation>保留文本的 {n}%</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>Keeps the beginning and what is newest. Good for a chat without an end; the middle of a text is forgotten.</source>
            <translation>保留开头和最新的内容。适合没有尽头的聊天；文本的中间部分会被遗忘。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>Keeps what this model tends to look at, measured once. Good for long writing; it does not know your question, so a rare detail may be lost.</source>
            <translation>保留该模型通常会关注的内容，只需测量一次。适合长篇写作；它不知道您的问题，因此少见的细节可能丢失。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>Keeps what was looked at most so far. Good for summaries; reading takes longer, and a detail that nothing pointed to is lost.</source>
            <translation>保留至今被关注最多的内容。适合摘要；阅读耗时更长，没有被关注过的细节会丢失。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>Keeps what your question looks at. Good for one question over a text; a second one about another place suffers.</source>
            <translation>保留您的问题所关注的内容。适合对一份文本只提一个问题；关于别处的第二个问题会受影响。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>Likely blocks, in reading</source>
            <translation>读取时看可能的块</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>Likely pages, in writing</source>
            <translation>书写时看可能的页</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>Nothing is forgotten.</source>
            <translation>不遗忘任何内容。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>Policy</source>
            <translation>策略</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>Texts in segments have a choice of their own: “Keep of what was read”, above.</source>
            <translation>分段阅读的文本另有上方的“保留已读内容的比例”。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>The surest for every question, and the most memory.</source>
            <translation>对任何问题都最可靠，占用内存也最多。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>This model</source>
            <translation>该模型</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>This model chooses no blocks that could be forgotten: questions would be refused. Choose another policy, or keep everything.</source>
            <translation>该模型不选择块，因此没有块可以遗忘：问题会被拒绝。请选择其他策略，或保留全部。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>What is looked at</source>
            <translation>查看的范围</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>What this saves is not known yet.</source>
            <translation>尚不知道这会节省多少。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>With a policy every text is read whole, so one longer than the window is refused. Nothing of it is saved on disk, and no question goes over every part.</source>
            <translation>使用策略时，所有文本都整体阅读，因此超出窗口的文本会被拒绝。不会向磁盘保存任何内容，也不能逐部分提问。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>With this policy every text is read whole, also one longer than the window. Nothing of it is saved on disk, and no question goes over every part.</source>
            <translation>使用此策略时，所有文本都整体阅读，超出窗口的也一样。不会向磁盘保存任何内容，也不能逐部分提问。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>everything</source>
            <translation>全部</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>keeps {n} %</source>
            <translation>保留 {n}%</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>keeps {tokens}</source>
            <translation>保留 {tokens}</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>{model} chooses blocks of a text to look at, and forgets whole blocks or nothing: questions would be refused. Choose {policy}, or keep everything.</source>
            <translation>{model} 自行选择要看的文本块，只能整块遗忘：问题会被拒绝。请选择 {policy}，或保留全部。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>{model} does not keep all of a text in every layer, so no policy can choose what to forget: questions would be refused. Keep everything.</source>
            <translation>{model} 并非每一层都保留全部文本，因此没有策略可以选择遗忘哪些内容：问题会被拒绝。请保留全部。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>{model} looks at a text in a way of its own, so questions would be refused. Look at all of it.</source>
            <translation>{model} 有自己的查看方式，因此提问会被拒绝。请查看全部内容。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>{n} of this model's {total} layers see only what is near, and keep all of that in any case; the others forget.</source>
            <translation>该模型 {total} 层中的 {n} 层只看附近的内容，并始终全部保留；其余各层会遗忘。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>{n} of {tokens}</source>
            <translation>{tokens} 中的 {n} 个</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_kept.py" />
            <source>{policy} · cannot be had as things are set</source>
            <translation>{policy} · 按当前设置无法使用</translation>
        </message>
    </context>
    <context>
        <name>KeyDialog</name>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>All documents</source>
            <translation>所有文档</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>All models</source>
            <translation>所有模型</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>Close</source>
            <translation>关闭</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>Documents</source>
            <translation>文档</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>It may also ask engines on other computers</source>
            <translation>也可向其他电脑上的引擎提问</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>Limit a day</source>
            <translation>每日上限</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>Make the key</source>
            <translation>生成密钥</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>Models</source>
            <translation>模型</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>New key</source>
            <translation>新密钥</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>Only these</source>
            <translation>仅限这些</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>The key “{name}” is made</source>
            <translation>密钥“{name}”已生成</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>The secret of the key</source>
            <translation>密钥内容</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>This is its secret. Copy it now: it is shown this once, and only a hash of it is kept. If it is lost, revoke the key and make another.</source>
            <translation>这是密钥内容。请现在复制：只显示这一次，保存的只有其散列值。若遗失，请吊销该密钥并另建一个。</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>Tick what it may use, or allow everything</source>
            <translation>请勾选它可以使用的内容，或允许全部</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>Tokens of prompts and answers from midnight to midnight; then it is refused.</source>
            <translation>每天零点到零点的提示与回答词元数；用完即被拒绝。</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>What the key is for</source>
            <translation>密钥的用途</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>What the program sends to them, and documents it names, leave this computer.</source>
            <translation>程序发给它们的内容以及所指定的文档会离开这台电脑。</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>no limit</source>
            <translation>不限</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>such as the name of the program that will use it</source>
            <translation>例如将使用它的程序的名称</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>the secret</source>
            <translation>密钥内容</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>token</source>
            <translation>个词元</translation>
        </message>
        <message>
            <location filename="../../app/views/key_dialog.py" />
            <source>tokens</source>
            <translation>个词元</translation>
        </message>
    </context>
    <context>
        <name>KeyRow</name>
        <message>
            <location filename="../../app/views/key_row.py" />
            <source>Delete</source>
            <translation>删除</translation>
        </message>
        <message>
            <location filename="../../app/views/key_row.py" />
            <source>Delete the revoked key {name}</source>
            <translation>删除已吊销的密钥 {name}</translation>
        </message>
        <message>
            <location filename="../../app/views/key_row.py" />
            <source>Revoke</source>
            <translation>吊销</translation>
        </message>
        <message>
            <location filename="../../app/views/key_row.py" />
            <source>Revoke the key {name}</source>
            <translation>吊销密钥 {name}</translation>
        </message>
        <message>
            <location filename="../../app/views/key_row.py" />
            <source>its secret ends in {letters}</source>
            <translation>密钥内容以 {letters} 结尾</translation>
        </message>
    </context>
    <context>
        <name>KeysList</name>
        <message>
            <location filename="../../app/views/keys_list.py" />
            <source>New key…</source>
            <translation>新密钥…</translation>
        </message>
        <message>
            <location filename="../../app/views/keys_list.py" />
            <source>No keys yet. Make one for each program, so that each can be limited and revoked.</source>
            <translation>还没有密钥。请为每个程序各建一个，以便分别限制和吊销。</translation>
        </message>
    </context>
    <context>
        <name>LedgerLine</name>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>1 document</source>
            <translation>1 个文档</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>1 part</source>
            <translation>1 个部分</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>Details</source>
            <translation>详情</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>First word {time}</source>
            <translation>首字 {time}</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>Forgotten: nothing ({policy})</source>
            <translation>遗忘：无（{policy}）</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>Left out: nothing</source>
            <translation>未纳入：无</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>No documents · {tokens}</source>
            <translation>没有文档 · {tokens}</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>Read in full: {documents} · {tokens}</source>
            <translation>全文阅读：{documents} · {tokens}</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>Read in full: {documents} · {tokens} in 1 segment</source>
            <translation>全文阅读：{documents} · {tokens}，1 段</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>Read in full: {documents} · {tokens} in {n} segments</source>
            <translation>全文阅读：{documents} · {tokens}，{n} 段</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>Read in full: {documents} · {tokens} · every part asked: {n}</source>
            <translation>全文阅读：{documents} · {tokens} · 每个部分都已提问：{n}</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>Read: {read} of {total} of {documents}</source>
            <translation>已读：{documents}中的 {read} / {total}</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>What the answer was made from</source>
            <translation>回答的依据</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>window {n}</source>
            <translation>窗口 {n}</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>{model} at {host}</source>
            <translation>{host} 上的 {model}</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>{n} documents</source>
            <translation>{n} 个文档</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>{n} parts</source>
            <translation>{n} 个部分</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>{tokens} opened from disk</source>
            <translation>从磁盘打开 {tokens}</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>{tokens} read now</source>
            <translation>本次阅读 {tokens}</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>{tokens} reused</source>
            <translation>复用 {tokens}</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>⚠ Forgotten: {tokens}</source>
            <translation>⚠ 已遗忘：{tokens}</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>⚠ Left out: {parts}</source>
            <translation>⚠ 未纳入：{parts}</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_line.py" />
            <source>⚠ Not read: {tokens}</source>
            <translation>⚠ 未读：{tokens}</translation>
        </message>
    </context>
    <context>
        <name>LeftOutModel</name>
        <message>
            <location filename="../../app/models/preflight.py" />
            <source>Left out</source>
            <translation>未纳入</translation>
        </message>
        <message>
            <location filename="../../app/models/preflight.py" />
            <source>Why</source>
            <translation>原因</translation>
        </message>
    </context>
    <context>
        <name>LibraryModel</name>
        <message>
            <location filename="../../app/models/library.py" />
            <source>All documents</source>
            <translation>所有文档</translation>
        </message>
        <message>
            <location filename="../../app/models/library.py" />
            <source>Left out: {n}</source>
            <translation>未纳入：{n}</translation>
        </message>
        <message>
            <location filename="../../app/models/library.py" />
            <source>Matters: {names}</source>
            <translation>事项：{names}</translation>
        </message>
        <message>
            <location filename="../../app/models/library.py" />
            <source>Removed</source>
            <translation>已移除</translation>
        </message>
        <message>
            <location filename="../../app/models/library.py" />
            <source>reading {percent}</source>
            <translation>正在阅读 {percent}</translation>
        </message>
        <message>
            <location filename="../../app/models/library.py" />
            <source>tokens not counted</source>
            <translation>词元尚未计数</translation>
        </message>
    </context>
    <context>
        <name>LibraryNotices</name>
        <message>
            <location filename="../../app/views/library_notices.py" />
            <source>Attach the new version</source>
            <translation>附加新版本</translation>
        </message>
        <message>
            <location filename="../../app/views/library_notices.py" />
            <source>Deleted for good: {names}.</source>
            <translation>已永久删除：{names}。</translation>
        </message>
        <message>
            <location filename="../../app/views/library_notices.py" />
            <source>For like reasons {documents} more were left out.</source>
            <translation>由于类似原因，另有 {documents}未导出。</translation>
        </message>
        <message>
            <location filename="../../app/views/library_notices.py" />
            <source>Opening the new version of {name}…</source>
            <translation>正在打开 {name} 的新版本…</translation>
        </message>
        <message>
            <location filename="../../app/views/library_notices.py" />
            <source>Removed from the library: {names}. The text is kept until it is deleted for good.</source>
            <translation>已从资料库移除：{names}。文本会一直保存，直到被永久删除。</translation>
        </message>
        <message>
            <location filename="../../app/views/library_notices.py" />
            <source>Show what changed</source>
            <translation>显示改动</translation>
        </message>
        <message>
            <location filename="../../app/views/library_notices.py" />
            <source>The library has no older version of {name} to compare it with.</source>
            <translation>资料库中没有 {name} 的旧版本可供比较。</translation>
        </message>
        <message>
            <location filename="../../app/views/library_notices.py" />
            <source>The matter “{matter}” was deleted. Its documents stay.</source>
            <translation>事项“{matter}”已删除。其中的文档会保留。</translation>
        </message>
        <message>
            <location filename="../../app/views/library_notices.py" />
            <source>The text is deleted for good: {names}. What was read of it may still be on disk, since the engine could not be asked. Forget all readings in the settings once it runs again.</source>
            <translation>文本已永久删除：{names}。由于无法询问引擎，已读的内容可能仍在磁盘上。引擎再次运行后，请在设置中忘记所有阅读结果。</translation>
        </message>
        <message>
            <location filename="../../app/views/library_notices.py" />
            <source>The version that was read before stays.</source>
            <translation>之前读取的版本会保留。</translation>
        </message>
        <message>
            <location filename="../../app/views/library_notices.py" />
            <source>Undo</source>
            <translation>撤销</translation>
        </message>
        <message>
            <location filename="../../app/views/library_notices.py" />
            <source>{documents} exported into {folder}.</source>
            <translation>已将 {documents}导出到 {folder}。</translation>
        </message>
        <message>
            <location filename="../../app/views/library_notices.py" />
            <source>{documents} put into “{matter}”.</source>
            <translation>已将 {documents}放入“{matter}”。</translation>
        </message>
        <message>
            <location filename="../../app/views/library_notices.py" />
            <source>{documents} taken out of “{matter}”. In the library they stay.</source>
            <translation>已从“{matter}”中取出 {documents}。它们仍在资料库中。</translation>
        </message>
        <message>
            <location filename="../../app/views/library_notices.py" />
            <source>{name} was read anew: what Longread reads of it is the same as before.</source>
            <translation>已重新读取 {name}：Longread 从中读到的内容与之前相同。</translation>
        </message>
        <message>
            <location filename="../../app/views/library_notices.py" />
            <source>{name} was read anew: {changes}. Both versions are in the library.</source>
            <translation>已重新读取 {name}：{changes}。两个版本都在资料库中。</translation>
        </message>
        <message>
            <location filename="../../app/views/library_notices.py" />
            <source>{size} of readings are free again.</source>
            <translation>释放了 {size} 的阅读结果。</translation>
        </message>
        <message>
            <location filename="../../app/views/library_notices.py" />
            <source>“{matter}” holds them already.</source>
            <translation>“{matter}”中已有这些文档。</translation>
        </message>
    </context>
    <context>
        <name>LibraryRow</name>
        <message>
            <location filename="../../app/views/library_rows.py" />
            <source>New name of the matter</source>
            <translation>事项的新名称</translation>
        </message>
    </context>
    <context>
        <name>LibraryTree</name>
        <message>
            <location filename="../../app/views/library_tree.py" />
            <source>Library</source>
            <translation>资料库</translation>
        </message>
    </context>
    <context>
        <name>LicencesPage</name>
        <message>
            <location filename="../../app/views/licences_page.py" />
            <source>Libraries</source>
            <translation>程序库</translation>
        </message>
        <message>
            <location filename="../../app/views/licences_page.py" />
            <source>Licences</source>
            <translation>许可证</translation>
        </message>
        <message>
            <location filename="../../app/views/licences_page.py" />
            <source>The library brings no text of its own; its licence is {licence}.</source>
            <translation>该程序库没有附带文本；其许可证为 {licence}。</translation>
        </message>
        <message>
            <location filename="../../app/views/licences_page.py" />
            <source>The licence's words</source>
            <translation>许可证原文</translation>
        </message>
        <message>
            <location filename="../../app/views/licences_page.py" />
            <source>The list of licences is missing from this installation.</source>
            <translation>此安装中缺少许可证列表。</translation>
        </message>
        <message>
            <location filename="../../app/views/licences_page.py" />
            <source>{n} libraries, each under a licence of its own.</source>
            <translation>{n} 个程序库，各有自己的许可证。</translation>
        </message>
    </context>
    <context>
        <name>LinkDialog</name>
        <message>
            <location filename="../../app/views/link_dialog.py" />
            <source>Copy the address</source>
            <translation>复制地址</translation>
        </message>
        <message>
            <location filename="../../app/views/link_dialog.py" />
            <source>Do not open</source>
            <translation>不打开</translation>
        </message>
        <message>
            <location filename="../../app/views/link_dialog.py" />
            <source>It leaves this computer: your browser will connect to {host}.</source>
            <translation>它会离开这台电脑：您的浏览器将连接到 {host}。</translation>
        </message>
        <message>
            <location filename="../../app/views/link_dialog.py" />
            <source>It will be given to your mail program.</source>
            <translation>它将交给您的邮件程序。</translation>
        </message>
        <message>
            <location filename="../../app/views/link_dialog.py" />
            <source>Open</source>
            <translation>打开</translation>
        </message>
        <message>
            <location filename="../../app/views/link_dialog.py" />
            <source>Open this link?</source>
            <translation>打开此链接？</translation>
        </message>
        <message>
            <location filename="../../app/views/link_dialog.py" />
            <source>The whole address</source>
            <translation>完整地址</translation>
        </message>
    </context>
    <context>
        <name>LongTexts</name>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>A text longer than the window is refused before anything of it is read.</source>
            <translation>超出窗口的文本会被拒绝，其中没有任何内容被阅读。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>All</source>
            <translation>全部</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>All texts in segments</source>
            <translation>所有文本分段</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>All texts in segments of {n} tokens, answers over {keep} of them</source>
            <translation>所有文本分段，每段 {n} 个词元，回答依据其中 {keep} 段</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Also a text that fits the window is read in segments, each on its own.</source>
            <translation>窗口能容纳的文本也分段阅读，各段互相独立。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Answer written over</source>
            <translation>回答依据</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>At most so many segments, those that explain your question best.</source>
            <translation>取最能解释您的问题的段，最多这么多。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Automatic</source>
            <translation>自动</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Automatic here: {name}.</source>
            <translation>此处自动为：{name}。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Automatic here: {n}, within {gap} nats of the first.</source>
            <translation>此处自动为 {n}，且与首位相差不超过 {gap} nat。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Automatic here: {n}.</source>
            <translation>此处自动为 {n}。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Consecutive positions</source>
            <translation>连续位置</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Each keeps the positions it was read at. At once; small models fall silent beyond two.</source>
            <translation>各段保留阅读时的位置。无需等待；超过两段时，小模型会不作回答。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Every text in segments</source>
            <translation>所有文本分段</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>How the segments that an answer sees are put together.</source>
            <translation>回答所看到的各段如何拼接。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>In segments</source>
            <translation>分段</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>In segments of {n} tokens, answers over {keep} of them</source>
            <translation>分段，每段 {n} 个词元，回答依据其中 {keep} 段</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>In segments when a text is longer than the window</source>
            <translation>文本超出窗口时分段</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Never, refuse</source>
            <translation>不分段，拒绝</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Only the likeliest by a first look: sooner, but less sure.</source>
            <translation>只对初看最可能的段提问：更快，但不那么可靠。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Overlap</source>
            <translation>重叠</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Positions are counted on from one to the next, exactly. Nothing is read again.</source>
            <translation>位置逐段接续计数，结果精确。不会重新阅读任何内容。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Question put to</source>
            <translation>提问范围</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Read again</source>
            <translation>重新阅读</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Read whole, by the policy under “What is kept”</source>
            <translation>按“保留内容”中的策略整体阅读</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Refused</source>
            <translation>拒绝</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Refused, by what is looked at under “What is kept”</source>
            <translation>按“保留内容”中要看的内容予以拒绝</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Segment length</source>
            <translation>段长</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Segments joined by</source>
            <translation>段的拼接方式</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Shared positions</source>
            <translation>共享位置</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Texts longer than the window</source>
            <translation>超出窗口的文本</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Their text is read again in one piece. The surest for comparing, and the slowest.</source>
            <translation>将各段文本作为一个整体重新阅读。用于比较最可靠，也最慢。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>This model reads every text whole</source>
            <translation>该模型会完整读取每份文本</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>This model was made for long texts: it reads every text whole, up to its window.</source>
            <translation>该模型为长文本而设计：在窗口范围内完整读取每份文本。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Tokens read together, at most. Short ones are found surer, long ones keep more in context.</source>
            <translation>一起阅读的词元数上限。短段更可靠地被找到，长段保留更多上下文。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Tokens that a segment repeats of the one before, so that no sentence is torn.</source>
            <translation>一段重复前一段的词元数，以免句子被拆断。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>What automatic comes to is known once the model is loaded.</source>
            <translation>加载模型后才知道自动值是多少。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>What does not fit the window is refused</source>
            <translation>超出窗口的内容会被拒绝</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>What fits the window is read whole. A longer text is read in segments, each on its own.</source>
            <translation>窗口能容纳的文本整体阅读。更长的文本分段阅读，各段互相独立。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>What is automatic is usual for models of this size; it was not measured with this one.</source>
            <translation>自动值是这种规模的模型的常用值；未在此模型上测量。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>What is automatic was measured with this model.</source>
            <translation>自动值是在此模型上测量的。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>With the policy that is chosen under “What is kept”, every text is read whole.</source>
            <translation>使用“保留内容”中所选的策略时，所有文本都整体阅读。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>With what is chosen to be looked at under “What is kept”, a text is read whole or refused: one longer than the window is not read in segments.</source>
            <translation>使用“保留内容”中所选的要看的内容时，文本要么整体阅读，要么被拒绝：超出窗口的文本不会分段阅读。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>With what is chosen to be looked at under “What is kept”, no text is read in segments: every one is refused.</source>
            <translation>使用“保留内容”中所选的要看的内容时，没有文本会分段阅读：所有文本都会被拒绝。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>Your question is put to every segment, so that none is missed.</source>
            <translation>您的问题会对每一段提出，不会漏掉任何一段。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>segment</source>
            <translation>段</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>segments</source>
            <translation>段</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>token</source>
            <translation>个词元</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_long.py" />
            <source>tokens</source>
            <translation>个词元</translation>
        </message>
    </context>
    <context>
        <name>MainWindow</name>
        <message>
            <location filename="../../app/views/window.py" />
            <source>Library and conversations</source>
            <translation>资料库和对话</translation>
        </message>
        <message>
            <location filename="../../app/views/window.py" />
            <source>Longread</source>
            <translation>Longread</translation>
        </message>
        <message>
            <location filename="../../app/views/window.py" />
            <source>Model settings</source>
            <translation>模型设置</translation>
        </message>
        <message>
            <location filename="../../app/views/window.py" />
            <source>Source</source>
            <translation>原文</translation>
        </message>
    </context>
    <context>
        <name>MarkdownView</name>
        <message>
            <location filename="../../app/views/markdown_view.py" />
            <source>Copy this code</source>
            <translation>复制此代码</translation>
        </message>
    </context>
    <context>
        <name>MatterController</name>
        <message>
            <location filename="../../app/controller/matters.py" />
            <source>New matter</source>
            <translation>新事项</translation>
        </message>
    </context>
    <context>
        <name>ModelRow</name>
        <message>
            <location filename="../../app/views/model_row.py" />
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <location filename="../../app/views/model_row.py" />
            <source>Download</source>
            <translation>下载</translation>
        </message>
        <message>
            <location filename="../../app/views/model_row.py" />
            <source>Pause</source>
            <translation>暂停</translation>
        </message>
        <message>
            <location filename="../../app/views/model_row.py" />
            <source>Resume</source>
            <translation>继续</translation>
        </message>
        <message>
            <location filename="../../app/views/model_row.py" />
            <source>Use</source>
            <translation>使用</translation>
        </message>
        <message>
            <location filename="../../app/views/model_row.py" />
            <source>from {source}</source>
            <translation>来自 {source}</translation>
        </message>
        <message>
            <location filename="../../app/views/model_row.py" />
            <source>window {n} tokens</source>
            <translation>窗口 {n} 个词元</translation>
        </message>
        <message>
            <location filename="../../app/views/model_row.py" />
            <source>{n} parameters</source>
            <translation>{n} 参数</translation>
        </message>
        <message>
            <location filename="../../app/views/model_row.py" />
            <source>{size} on this computer</source>
            <translation>本机占用 {size}</translation>
        </message>
        <message>
            <location filename="../../app/views/model_row.py" />
            <source>{size} to download</source>
            <translation>需下载 {size}</translation>
        </message>
        <message>
            <location filename="../../app/views/model_row.py" />
            <source>{title} · in use</source>
            <translation>{title} · 使用中</translation>
        </message>
        <message>
            <location filename="../../app/views/model_row.py" />
            <source>× does not fit in this computer's memory</source>
            <translation>× 超出这台电脑的内存</translation>
        </message>
        <message>
            <location filename="../../app/views/model_row.py" />
            <source>✓ fits here</source>
            <translation>✓ 适合本机</translation>
        </message>
    </context>
    <context>
        <name>ModelSection</name>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>16-bit weights, as most models are released</source>
            <translation>16 位权重，多数模型以此发布</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>32-bit weights: the most exact, and the most memory</source>
            <translation>32 位权重：最精确，占用内存最多</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>4-bit weights, a scale for each few: a third of the memory of BF16, and less exact</source>
            <translation>4 位权重，每几个共用一个缩放系数：内存为 BF16 的三分之一，精确度较低</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>8-bit weights, one scale a row: half the memory of BF16</source>
            <translation>8 位权重，每行一个缩放系数：内存为 BF16 的一半</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>A policy is chosen under “What is kept”: no text is read in segments.</source>
            <translation>已在“保留内容”中选择策略：没有文本会分段阅读。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>A text that fits the window and is read whole is always kept whole.</source>
            <translation>窗口能容纳并整体阅读的文本总是全部保留。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>Balanced</source>
            <translation>均衡</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>Context window</source>
            <translation>上下文窗口</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>Exact</source>
            <translation>精确</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>From each segment, what the question looks at most.</source>
            <translation>取每段中问题最关注的内容。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>Keep of what was read</source>
            <translation>保留已读内容的比例</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>Keep {n} % of what was read</source>
            <translation>保留已读内容的 {n}%</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>Model</source>
            <translation>模型</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>More models…</source>
            <translation>更多模型…</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>Nothing of a segment is left out of an answer.</source>
            <translation>回答时不略去段内的任何内容。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>Precision</source>
            <translation>精度</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>Preset</source>
            <translation>预设</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>Small</source>
            <translation>小巧</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>This model runs at {host}. Precision, context window, and what of a text is kept and looked at are decided there and cannot be chosen from here.</source>
            <translation>此模型在 {host} 上运行。精度、上下文窗口以及保留和查看文本的哪些部分由那里决定，无法在此选择。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>Writes with {name}. Measured here, a layer: {listed}.</source>
            <translation>生成使用 {name}。本机实测，每层：{listed}。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>best here</source>
            <translation>本机最佳</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>everything</source>
            <translation>全部</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>of each segment</source>
            <translation>每段</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>the largest window that fits</source>
            <translation>能容纳的最大窗口</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>the precision that runs best here</source>
            <translation>本机运行最好的精度</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>weights {size}</source>
            <translation>权重 {size}</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>{title} · does not fit here</source>
            <translation>{title} · 超出本机容量</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>{tokens} · the largest</source>
            <translation>{tokens} · 最大</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_model.py" />
            <source>{tokens} · {n} × native</source>
            <translation>{tokens} · 原生窗口的 {n} 倍</translation>
        </message>
    </context>
    <context>
        <name>ModelsDialog</name>
        <message>
            <location filename="../../app/views/models_dialog.py" />
            <source>A model is downloaded only when you ask for it, and checked against its published hash. Nothing of yours is sent. After that it runs on this computer alone, but for models of servers that you add.</source>
            <translation>只有在您要求时才会下载模型，并按其公布的哈希值核对。不会发送您的任何内容。之后模型只在这台电脑运行，您添加的服务器上的模型除外。</translation>
        </message>
        <message>
            <location filename="../../app/views/models_dialog.py" />
            <source>Add a .gguf file…</source>
            <translation>添加 .gguf 文件…</translation>
        </message>
        <message>
            <location filename="../../app/views/models_dialog.py" />
            <source>Add a folder with a model</source>
            <translation>添加含模型的文件夹</translation>
        </message>
        <message>
            <location filename="../../app/views/models_dialog.py" />
            <source>Add a folder…</source>
            <translation>添加文件夹…</translation>
        </message>
        <message>
            <location filename="../../app/views/models_dialog.py" />
            <source>Add a model file</source>
            <translation>添加模型文件</translation>
        </message>
        <message>
            <location filename="../../app/views/models_dialog.py" />
            <source>Close</source>
            <translation>关闭</translation>
        </message>
        <message>
            <location filename="../../app/views/models_dialog.py" />
            <source>Models</source>
            <translation>模型</translation>
        </message>
        <message>
            <location filename="../../app/views/models_dialog.py" />
            <source>Models (*.gguf)</source>
            <translation>模型 (*.gguf)</translation>
        </message>
        <message>
            <location filename="../../app/views/models_dialog.py" />
            <source>Models on other computers: SGLang, vLLM, llama.cpp or another Longread</source>
            <translation>其他电脑上的模型：SGLang、vLLM、llama.cpp 或另一个 Longread</translation>
        </message>
        <message>
            <location filename="../../app/views/models_dialog.py" />
            <source>Servers…</source>
            <translation>服务器…</translation>
        </message>
    </context>
    <context>
        <name>MoreSettings</name>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>0 · always the likeliest word</source>
            <translation>0 · 总是最可能的词</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>A little less exact, in about half the memory</source>
            <translation>精确度略低，内存约为一半</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Address that models are downloaded from</source>
            <translation>下载模型的地址</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Address that packs for graphics cards are downloaded from</source>
            <translation>下载显卡运行包的地址</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Appearance</source>
            <translation>外观</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>As the model</source>
            <translation>与模型一致</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>As the model computes them</source>
            <translation>与模型计算时一致</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>As the model, or INT8 where only that fits</source>
            <translation>与模型一致；只有 INT8 放得下时用 INT8</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>As the system</source>
            <translation>跟随系统</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>At most this share of the device's memory is taken by the model and what it reads; the largest window follows from it.</source>
            <translation>模型及其读取的内容最多占用设备内存的这一比例；最大窗口由此而定。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Automatic</source>
            <translation>自动</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Automatic here: {n}.</source>
            <translation>此处自动为 {n}。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>By what they are computed.</source>
            <translation>用什么来计算这些层。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Compiled, on processors</source>
            <translation>编译的内核，用于处理器</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Dark</source>
            <translation>深色</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>How keys and values are held in memory: as the model computes, those of segments as INT8 where only that fits.</source>
            <translation>键和值在内存中的存放方式：与模型计算时一致；各段的键和值在只有 INT8 放得下时用 INT8。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>In the wrong layers this destroys what was to be found. Switch it on only where you have measured that it helps.</source>
            <translation>在不合适的层中，这会毁掉要查找的内容。只有测量过确有帮助时才开启。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>K/V as INT8</source>
            <translation>K/V 用 INT8</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>K/V precision</source>
            <translation>K/V 精度</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Keys and values are held as INT8: about half the memory, so that a larger window fits, and a little less exact.</source>
            <translation>键和值以 INT8 存放：内存约为一半，因此放得下更大的窗口，精确度略低。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Keys and values are held as the model computes; segments that do not fit are opened again from disk.</source>
            <translation>键和值与模型计算时一致地存放；放不下的段会再次从磁盘打开。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Language</source>
            <translation>语言</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Leave out abnormally attended rows (calibration)</source>
            <translation>略去受到异常关注的行（校准）</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Lets editors and other programs ask, each with a key</source>
            <translation>让编辑器和其他程序各凭密钥提问</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Light</source>
            <translation>浅色</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Lightning layers</source>
            <translation>闪电注意力层</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Local API</source>
            <translation>本地 API</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Longest answer</source>
            <translation>最长回答</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Models from</source>
            <translation>模型来源</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Open…</source>
            <translation>打开…</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Packs from</source>
            <translation>运行包来源</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Part length</source>
            <translation>部分长度</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Piece</source>
            <translation>分块</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Processor threads that the engine uses</source>
            <translation>引擎使用的处理器线程数</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Return asks, Shift+Return breaks the line</source>
            <translation>回车提问，Shift+回车换行</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Sparse layers</source>
            <translation>稀疏注意力层</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Temperature</source>
            <translation>温度</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Temperature {n}</source>
            <translation>温度 {n}</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>This model has none.</source>
            <translation>此模型没有这样的层。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Threads</source>
            <translation>线程</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Tokens after which an answer ends</source>
            <translation>回答达到此词元数后结束</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Tokens asked about together when a question goes over every part. Small models need short ones.</source>
            <translation>问题查遍每个部分时，一起提问的词元数。小模型需要较短的部分。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Tokens read in one go; more is faster and needs more memory</source>
            <translation>一次阅读的词元数；越多越快，也需要更多内存</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Triton, on NVIDIA cards</source>
            <translation>Triton，用于 NVIDIA 显卡</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>Used from the next start on</source>
            <translation>下次启动时生效</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>all that is free</source>
            <translation>全部可用内存</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>calibration on</source>
            <translation>校准已开启</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>chosen by the engine</source>
            <translation>由引擎选择</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>parts, threads, appearance</source>
            <translation>部分、线程、外观</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>the public hub, or HF_ENDPOINT</source>
            <translation>公共模型库，或 HF_ENDPOINT</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>this version's release</source>
            <translation>此版本的发布页</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>token</source>
            <translation>个词元</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>tokens</source>
            <translation>个词元</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>torch, anywhere</source>
            <translation>torch，任何设备</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>until the window is full</source>
            <translation>直到窗口填满</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>{n} %</source>
            <translation>{n} %</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>{size} a token</source>
            <translation>每个词元 {size}</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_more.py" />
            <source>⚠ This model cannot be loaded so: choose automatic.</source>
            <translation>⚠ 此模型无法这样加载：请选择“自动”。</translation>
        </message>
    </context>
    <context>
        <name>NothingOpen</name>
        <message>
            <location filename="../../app/views/welcome.py" />
            <source>Add documents…</source>
            <translation>添加文档…</translation>
        </message>
        <message>
            <location filename="../../app/views/welcome.py" />
            <source>Add folder…</source>
            <translation>添加文件夹…</translation>
        </message>
        <message>
            <location filename="../../app/views/welcome.py" />
            <source>Ask about what you added</source>
            <translation>就您添加的内容提问</translation>
        </message>
        <message>
            <location filename="../../app/views/welcome.py" />
            <source>Drop a book, a contract or a folder of code</source>
            <translation>拖入一本书、一份合同或一个代码文件夹</translation>
        </message>
        <message>
            <location filename="../../app/views/welcome.py" />
            <source>It is read in full, on this computer, and nothing of it leaves. You see what will be read before anything starts; then ask.</source>
            <translation>它会在这台电脑上被全文阅读，任何部分都不会离开。开始之前您会看到将要阅读的内容；然后提问。</translation>
        </message>
        <message>
            <location filename="../../app/views/welcome.py" />
            <source>The answer is written from the whole text. Ask for a fact, a place or a quote to begin with.</source>
            <translation>回答依据全文生成。可以先问一个事实、一处位置或一段引文。</translation>
        </message>
    </context>
    <context>
        <name>Notices</name>
        <message>
            <location filename="../../app/views/notices.py" />
            <source>1 message was replaced.</source>
            <translation>1 条消息已被替换。</translation>
        </message>
        <message>
            <location filename="../../app/views/notices.py" />
            <source>Choose a model…</source>
            <translation>选择模型…</translation>
        </message>
        <message>
            <location filename="../../app/views/notices.py" />
            <source>Exported as {file}. By {twin} beside it, anyone can check it against the documents.</source>
            <translation>已导出为 {file}。凭借旁边的 {twin}，任何人都可以对照文档核对它。</translation>
        </message>
        <message>
            <location filename="../../app/views/notices.py" />
            <source>How texts are read…</source>
            <translation>文本的阅读方式…</translation>
        </message>
        <message>
            <location filename="../../app/views/notices.py" />
            <source>Reading was stopped. What was read is kept; asking goes on from there.</source>
            <translation>阅读已停止。已读的内容会保留；再次提问时从那里继续。</translation>
        </message>
        <message>
            <location filename="../../app/views/notices.py" />
            <source>Settings…</source>
            <translation>设置…</translation>
        </message>
        <message>
            <location filename="../../app/views/notices.py" />
            <source>Show what it said</source>
            <translation>显示它的输出</translation>
        </message>
        <message>
            <location filename="../../app/views/notices.py" />
            <source>Start it again</source>
            <translation>重新启动</translation>
        </message>
        <message>
            <location filename="../../app/views/notices.py" />
            <source>That document was deleted for good, so its pages cannot be shown.</source>
            <translation>该文档已被永久删除，因此无法显示其页面。</translation>
        </message>
        <message>
            <location filename="../../app/views/notices.py" />
            <source>The certificate is saved as {file}. By {twin} beside it, `longread verify --check` replays it.</source>
            <translation>证书已保存为 {file}。凭旁边的 {twin}，`longread verify --check` 可以重放。</translation>
        </message>
        <message>
            <location filename="../../app/views/notices.py" />
            <source>The conversation “{title}” was removed.</source>
            <translation>对话“{title}”已移除。</translation>
        </message>
        <message>
            <location filename="../../app/views/notices.py" />
            <source>The engine stopped unexpectedly and was started again. Your words are kept; documents are read again when you ask.</source>
            <translation>引擎意外停止，已重新启动。您的文字都已保留；提问时会重新阅读文档。</translation>
        </message>
        <message>
            <location filename="../../app/views/notices.py" />
            <source>The engine stopped unexpectedly. It is being started again.</source>
            <translation>引擎意外停止。正在重新启动。</translation>
        </message>
        <message>
            <location filename="../../app/views/notices.py" />
            <source>What was read of {name} is forgotten.</source>
            <translation>已忘记 {name} 的已读内容。</translation>
        </message>
        <message>
            <location filename="../../app/views/notices.py" />
            <source>What was read of {name} is forgotten; {size} are free again.</source>
            <translation>已忘记 {name} 的已读内容；释放了 {size}。</translation>
        </message>
        <message>
            <location filename="../../app/views/notices.py" />
            <source>{name} is no longer part of this conversation.</source>
            <translation>{name} 已不再属于此对话。</translation>
        </message>
        <message>
            <location filename="../../app/views/notices.py" />
            <source>{n} messages were replaced.</source>
            <translation>{n} 条消息已被替换。</translation>
        </message>
    </context>
    <context>
        <name>OpenDialog</name>
        <message>
            <location filename="../../app/views/open_dialog.py" />
            <source>Connections will be encrypted with a certificate that Longread makes here; you can choose another one, or none, afterwards.</source>
            <translation>连接将用 Longread 在此生成的证书加密；之后您可以改用其他证书，或不加密。</translation>
        </message>
        <message>
            <location filename="../../app/views/open_dialog.py" />
            <source>Keep it to this computer</source>
            <translation>仅限这台电脑</translation>
        </message>
        <message>
            <location filename="../../app/views/open_dialog.py" />
            <source>Let other computers reach the local API?</source>
            <translation>允许其他电脑访问本地 API？</translation>
        </message>
        <message>
            <location filename="../../app/views/open_dialog.py" />
            <source>Now only programs on this computer can connect. Open, every device in your network can: colleagues, guests in the same Wi-Fi, and the internet where a router passes it on.</source>
            <translation>目前只有这台电脑上的程序可以连接。开放之后，您网络中的每台设备都可以：同事、同一 Wi-Fi 里的访客，若路由器转发则还有互联网。</translation>
        </message>
        <message>
            <location filename="../../app/views/open_dialog.py" />
            <source>Open it to the network</source>
            <translation>向网络开放</translation>
        </message>
        <message>
            <location filename="../../app/views/open_dialog.py" />
            <source>Open to your network?</source>
            <translation>向您的网络开放？</translation>
        </message>
        <message>
            <location filename="../../app/views/open_dialog.py" />
            <source>There is no key yet.</source>
            <translation>目前还没有密钥。</translation>
        </message>
        <message>
            <location filename="../../app/views/open_dialog.py" />
            <source>Whoever has a key gets answers written from your documents, and can read in them what the key allows. Without a key nobody gets an answer.</source>
            <translation>持有密钥者可得到根据您的文档写出的回答，并能从中读到该密钥允许的内容。没有密钥则得不到回答。</translation>
        </message>
    </context>
    <context>
        <name>PackDialog</name>
        <message>
            <location filename="../../app/views/pack_dialog.py" />
            <source>A pack for the graphics card</source>
            <translation>显卡运行包</translation>
        </message>
        <message>
            <location filename="../../app/views/pack_dialog.py" />
            <source>Do not download</source>
            <translation>不下载</translation>
        </message>
        <message>
            <location filename="../../app/views/pack_dialog.py" />
            <source>Download</source>
            <translation>下载</translation>
        </message>
        <message>
            <location filename="../../app/views/pack_dialog.py" />
            <source>Download {size} from {host}?</source>
            <translation>要从 {host} 下载 {size} 吗？</translation>
        </message>
        <message>
            <location filename="../../app/views/pack_dialog.py" />
            <source>Install</source>
            <translation>安装</translation>
        </message>
        <message>
            <location filename="../../app/views/pack_dialog.py" />
            <source>Install what was downloaded?</source>
            <translation>要安装已下载的内容吗？</translation>
        </message>
        <message>
            <location filename="../../app/views/pack_dialog.py" />
            <source>Installed it takes {size} on this computer; what was downloaded is deleted then.</source>
            <translation>安装后在本机占用 {size}；下载的文件随后会删除。</translation>
        </message>
        <message>
            <location filename="../../app/views/pack_dialog.py" />
            <source>Not now</source>
            <translation>暂不</translation>
        </message>
        <message>
            <location filename="../../app/views/pack_dialog.py" />
            <source>Nothing of yours is sent.</source>
            <translation>不会发送您的任何内容。</translation>
        </message>
        <message>
            <location filename="../../app/views/pack_dialog.py" />
            <source>The pack {tag} is for NVIDIA cards.</source>
            <translation>运行包 {tag} 用于 NVIDIA 显卡。</translation>
        </message>
        <message>
            <location filename="../../app/views/pack_dialog.py" />
            <source>{size} of it are here already.</source>
            <translation>其中 {size} 已在本机。</translation>
        </message>
        <message>
            <location filename="../../app/views/pack_dialog.py" />
            <source>⚠ No driver of NVIDIA's was found on this computer. Without one the pack is of no use.</source>
            <translation>⚠ 本机未找到 NVIDIA 驱动程序。没有驱动程序，运行包无法发挥作用。</translation>
        </message>
    </context>
    <context>
        <name>Page</name>
        <message>
            <location filename="../../app/views/page.py" />
            <source>Close</source>
            <translation>关闭</translation>
        </message>
    </context>
    <context>
        <name>PageController</name>
        <message>
            <location filename="../../app/controller/pages.py" />
            <source>Add a folder</source>
            <translation>添加文件夹</translation>
        </message>
        <message>
            <location filename="../../app/controller/pages.py" />
            <source>Add documents</source>
            <translation>添加文档</translation>
        </message>
    </context>
    <context>
        <name>PassageCard</name>
        <message>
            <location filename="../../app/views/evidence_view.py" />
            <source>= Without it the answer is the same.</source>
            <translation>= 去掉它，回答不变。</translation>
        </message>
        <message>
            <location filename="../../app/views/evidence_view.py" />
            <source>Answer without this passage</source>
            <translation>去掉此段落再回答</translation>
        </message>
        <message>
            <location filename="../../app/views/evidence_view.py" />
            <source>Asking without it: {text}</source>
            <translation>正在去掉它提问：{text}</translation>
        </message>
        <message>
            <location filename="../../app/views/evidence_view.py" />
            <source>Asking…</source>
            <translation>正在提问…</translation>
        </message>
        <message>
            <location filename="../../app/views/evidence_view.py" />
            <source>Show</source>
            <translation>显示</translation>
        </message>
        <message>
            <location filename="../../app/views/evidence_view.py" />
            <source>{rank}.</source>
            <translation>{rank}.</translation>
        </message>
        <message>
            <location filename="../../app/views/evidence_view.py" />
            <source>≠ Without it the answer is: {text}</source>
            <translation>≠ 去掉它，回答为：{text}</translation>
        </message>
    </context>
    <context>
        <name>Preflight</name>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>1 item is still being opened.</source>
            <translation>还有 1 项正在打开。</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>Back</source>
            <translation>返回</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>Before reading</source>
            <translation>阅读之前</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>Left out of {name}: {n}</source>
            <translation>{name} 中未纳入：{n}</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>Looking at what was dropped…</source>
            <translation>正在查看拖入的内容…</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>Nothing is chosen to be read.</source>
            <translation>没有选择要阅读的内容。</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>Opening what was dropped</source>
            <translation>正在打开拖入的内容</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>Read 1 item in full?</source>
            <translation>全文阅读 1 项？</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>Read in full</source>
            <translation>全文阅读</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>Read {n} items in full?</source>
            <translation>全文阅读 {n} 项？</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>Settings…</source>
            <translation>设置…</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>This is {needed} tokens and the window holds {available}. Nothing is cut, and texts are read whole here: leave an item out, or choose a larger window, or if the model can, segments, in the settings.</source>
            <translation>内容有 {needed} 个词元，而窗口只能容纳 {available} 个。不会截断任何内容，这里的文本会完整读取：请去掉一项，或在设置中选择更大的窗口；如果模型支持，也可以选择分段。</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>This needs more memory than is free. Choose a smaller window or precision in the settings.</source>
            <translation>所需内存超过可用内存。请在设置中选择更小的窗口或更低的精度。</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>Together {tokens}</source>
            <translation>合计 {tokens}</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>What is left out</source>
            <translation>未纳入的内容</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>Working out what this needs…</source>
            <translation>正在计算所需的资源…</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>first word after about {time}, then seconds</source>
            <translation>首字约需 {time}，之后只需数秒</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>keeps {size} on disk</source>
            <translation>在磁盘上保存 {size}</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>needs {needed} of {memory} GB</source>
            <translation>需要 {needed} GB，共 {memory} GB</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>nothing has been read yet</source>
            <translation>尚未阅读任何内容</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>read in about {n} segments</source>
            <translation>分约 {n} 段阅读</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>too large to be kept on disk: {size} of {quota}</source>
            <translation>太大，无法保存在磁盘上：{size}，上限 {quota}</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>window {n}</source>
            <translation>窗口 {n}</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight.py" />
            <source>{n} items are still being opened.</source>
            <translation>还有 {n} 项正在打开。</translation>
        </message>
    </context>
    <context>
        <name>PreflightCell</name>
        <message>
            <location filename="../../app/views/preflight_table.py" />
            <source>list</source>
            <translation>列表</translation>
        </message>
    </context>
    <context>
        <name>PreflightModel</name>
        <message>
            <location filename="../../app/models/preflight.py" />
            <source>Item</source>
            <translation>项目</translation>
        </message>
        <message>
            <location filename="../../app/models/preflight.py" />
            <source>Pages / files</source>
            <translation>页数 / 文件数</translation>
        </message>
        <message>
            <location filename="../../app/models/preflight.py" />
            <source>Tokens</source>
            <translation>词元</translation>
        </message>
        <message>
            <location filename="../../app/models/preflight.py" />
            <source>What will be read</source>
            <translation>将阅读的内容</translation>
        </message>
        <message>
            <location filename="../../app/models/preflight.py" />
            <source>about {time}</source>
            <translation>约 {time}</translation>
        </message>
        <message>
            <location filename="../../app/models/preflight.py" />
            <source>all of it</source>
            <translation>全部</translation>
        </message>
        <message>
            <location filename="../../app/models/preflight.py" />
            <source>all of it, {how}</source>
            <translation>全部，{how}</translation>
        </message>
        <message>
            <location filename="../../app/models/preflight.py" />
            <source>counting tokens…</source>
            <translation>正在计数词元…</translation>
        </message>
        <message>
            <location filename="../../app/models/preflight.py" />
            <source>longer than the window: {how}</source>
            <translation>超出窗口：{how}</translation>
        </message>
        <message>
            <location filename="../../app/models/preflight.py" />
            <source>opening: {done} of {total}</source>
            <translation>正在打开：{done} / {total}</translation>
        </message>
        <message>
            <location filename="../../app/models/preflight.py" />
            <source>opening…</source>
            <translation>正在打开…</translation>
        </message>
        <message>
            <location filename="../../app/models/preflight.py" />
            <source>read in 1 segment</source>
            <translation>分 1 段阅读</translation>
        </message>
        <message>
            <location filename="../../app/models/preflight.py" />
            <source>read in about {n} segments</source>
            <translation>分约 {n} 段阅读</translation>
        </message>
        <message>
            <location filename="../../app/models/preflight.py" />
            <source>will be read</source>
            <translation>将会阅读</translation>
        </message>
        <message>
            <location filename="../../app/models/preflight.py" />
            <source>will not be read</source>
            <translation>不会阅读</translation>
        </message>
        <message>
            <location filename="../../app/models/preflight.py" />
            <source>{n} left out: {reasons}</source>
            <translation>未纳入 {n} 项：{reasons}</translation>
        </message>
        <message>
            <location filename="../../app/models/preflight.py" />
            <source>{size} on disk</source>
            <translation>磁盘上 {size}</translation>
        </message>
    </context>
    <context>
        <name>PreflightPreview</name>
        <message>
            <location filename="../../app/views/preflight_preview.py" />
            <source>Back</source>
            <translation>返回</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight_preview.py" />
            <source>The text of {name}, as it would be read</source>
            <translation>{name} 将被阅读的文本</translation>
        </message>
    </context>
    <context>
        <name>PreflightTable</name>
        <message>
            <location filename="../../app/views/preflight_table.py" />
            <source>Items to read</source>
            <translation>要阅读的项目</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight_table.py" />
            <source>Space includes an item or leaves it out. The right arrow lists what is left out, P shows the text.</source>
            <translation>空格键纳入或去掉一项。右箭头键列出未纳入的内容，P 键显示文本。</translation>
        </message>
    </context>
    <context>
        <name>PreflightTools</name>
        <message>
            <location filename="../../app/views/preflight_tools.py" />
            <source>As if all were accepted</source>
            <translation>视为全部接受</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight_tools.py" />
            <source>As if none were made</source>
            <translation>视为从未修订</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight_tools.py" />
            <source>Open</source>
            <translation>打开</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight_tools.py" />
            <source>Password of the chosen item</source>
            <translation>所选项目的密码</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight_tools.py" />
            <source>Show its text</source>
            <translation>显示文本</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight_tools.py" />
            <source>Tracked changes</source>
            <translation>修订</translation>
        </message>
        <message>
            <location filename="../../app/views/preflight_tools.py" />
            <source>With each one marked</source>
            <translation>逐处标出</translation>
        </message>
    </context>
    <context>
        <name>PrivacyPage</name>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>1 connection</source>
            <translation>1 个连接</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>1 connection was made.</source>
            <translation>建立过 1 次连接。</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>CONNECTIONS SINCE THE START</source>
            <translation>启动以来的连接</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>Conversations</source>
            <translation>对话</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>Each document is opened in a short-lived process of its own, with limits on memory and time. What is damaged or hostile in a file ends that process, not Longread.</source>
            <translation>每个文档都在各自的短时进程中打开，限制内存和时间。文件中损坏或恶意的内容只会结束该进程，不会影响 Longread。</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>HOW DOCUMENTS ARE OPENED</source>
            <translation>文档如何打开</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>Logs, without texts and file names</source>
            <translation>日志，不含文本和文件名</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>Longread makes no connection unless you ask for a model: to fetch one, or to ask one on a server that you added. To such a server alone, and after you agreed, go questions with their documents. It sends no usage data and no crash reports. Links in answers open only after you have seen their whole address, and pictures in answers are never fetched.</source>
            <translation>除非您要用某个模型，Longread 不建立任何连接：下载模型，或向您添加的服务器上的模型提问。问题及其文档只会发往这样的服务器，并且在您同意之后。它不发送使用数据，也不发送崩溃报告。回答中的链接只在您看过完整地址后才打开，回答中的图片从不获取。</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>Models</source>
            <translation>模型</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>Nobody: the local API is off, and Longread listens nowhere.</source>
            <translation>无人：本地 API 已关闭，Longread 不监听任何端口。</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>None.</source>
            <translation>无。</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>Nothing leaves this computer. 0 connections.</source>
            <translation>没有任何内容离开这台电脑。0 次连接。</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>Privacy</source>
            <translation>隐私</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>Programs on this computer, at {address}, each with a key that you made. No other computer.</source>
            <translation>这台电脑上的程序，地址 {address}，各自使用您生成的密钥。其他电脑不能。</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>Questions and their documents go to another program here, {host}. {connections}.</source>
            <translation>问题及其文档交给这台电脑的另一个程序 {host}。{connections}。</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>Questions and their documents leave this computer: they go to {host}. {connections}.</source>
            <translation>问题及其文档会离开这台电脑：发往 {host}。{connections}。</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>Servers that you added, with their keys; for you alone (0600)</source>
            <translation>您添加的服务器及其密钥；仅您可读 (0600)</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>Settings</source>
            <translation>设置</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>Show</source>
            <translation>显示</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>Show the folder of: {what}</source>
            <translation>显示所在文件夹：{what}</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>Text of your documents</source>
            <translation>您的文档的文本</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>WHAT IS KEPT, AND WHERE</source>
            <translation>保存了什么，在哪里</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>WHO CAN CONNECT TO LONGREAD</source>
            <translation>谁可以连接到 LONGREAD</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>Where words stand in them, for searching</source>
            <translation>其中词语的位置，用于查找</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>{n} connections</source>
            <translation>{n} 个连接</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>{n} connections were made.</source>
            <translation>建立过 {n} 次连接。</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>{size} received</source>
            <translation>已接收 {size}</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>{size} sent</source>
            <translation>已发送 {size}</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_page.py" />
            <source>⚠ Every computer in your network, at {address}: whoever has a key gets answers.</source>
            <translation>⚠ 您网络中的每台电脑，地址 {address}：持有密钥者可得到回答。</translation>
        </message>
    </context>
    <context>
        <name>PrivacyPill</name>
        <message>
            <location filename="../../app/views/privacy_pill.py" />
            <source> · local API on</source>
            <translation> · 本地 API 已开启</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_pill.py" />
            <source> · local API open to your network</source>
            <translation> · 本地 API 向您的网络开放</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_pill.py" />
            <source>1 connection</source>
            <translation>1 次连接</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_pill.py" />
            <source>Documents and questions go to {host} · {connections}</source>
            <translation>文档和问题发送到 {host} · {connections}</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_pill.py" />
            <source>Nothing leaves this computer · {connections}</source>
            <translation>没有任何内容离开这台电脑 · {connections}</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_pill.py" />
            <source>Shows every connection that Longread made</source>
            <translation>显示 Longread 建立过的每一次连接</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_pill.py" />
            <source>The local API is open to your network · {connections}</source>
            <translation>本地 API 向您的网络开放 · {connections}</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_pill.py" />
            <source>Your documents stay on this computer · {connections}</source>
            <translation>您的文档留在这台电脑上 · {connections}</translation>
        </message>
        <message>
            <location filename="../../app/views/privacy_pill.py" />
            <source>{n} connections</source>
            <translation>{n} 次连接</translation>
        </message>
    </context>
    <context>
        <name>QuestionView</name>
        <message>
            <location filename="../../app/views/question.py" />
            <source>Copy this question</source>
            <translation>复制此问题</translation>
        </message>
        <message>
            <location filename="../../app/views/question.py" />
            <source>Edit this question</source>
            <translation>编辑此问题</translation>
        </message>
        <message>
            <location filename="../../app/views/question.py" />
            <source>Show all {n} characters</source>
            <translation>显示全部 {n} 个字符</translation>
        </message>
        <message>
            <location filename="../../app/views/question.py" />
            <source>Your question</source>
            <translation>您的问题</translation>
        </message>
        <message>
            <location filename="../../app/views/question.py" />
            <source>with 1 document</source>
            <translation>附 1 个文档</translation>
        </message>
        <message>
            <location filename="../../app/views/question.py" />
            <source>with {n} documents</source>
            <translation>附 {n} 个文档</translation>
        </message>
    </context>
    <context>
        <name>QuoteChips</name>
        <message>
            <location filename="../../app/views/quote_chips.py" />
            <source>Facts that stand in the text: {n}</source>
            <translation>见于文本的事实：{n}</translation>
        </message>
        <message>
            <location filename="../../app/views/quote_chips.py" />
            <source>Quotes of this answer</source>
            <translation>此回答的引文</translation>
        </message>
    </context>
    <context>
        <name>ReadingBar</name>
        <message>
            <location filename="../../app/views/reading_bar.py" />
            <source>Answer from what has been read</source>
            <translation>根据已读内容回答</translation>
        </message>
        <message>
            <location filename="../../app/views/reading_bar.py" />
            <source>Asking {done} of {total} segments</source>
            <translation>正在对各段提问：{done} / {total}</translation>
        </message>
        <message>
            <location filename="../../app/views/reading_bar.py" />
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <location filename="../../app/views/reading_bar.py" />
            <source>Cancel reading</source>
            <translation>取消阅读</translation>
        </message>
        <message>
            <location filename="../../app/views/reading_bar.py" />
            <source>Counting</source>
            <translation>计数</translation>
        </message>
        <message>
            <location filename="../../app/views/reading_bar.py" />
            <source>Counting the tokens of {name}</source>
            <translation>正在计数 {name} 的词元</translation>
        </message>
        <message>
            <location filename="../../app/views/reading_bar.py" />
            <source>Extracting</source>
            <translation>提取</translation>
        </message>
        <message>
            <location filename="../../app/views/reading_bar.py" />
            <source>Extracting the text of {name}</source>
            <translation>正在提取 {name} 的文本</translation>
        </message>
        <message>
            <location filename="../../app/views/reading_bar.py" />
            <source>Going over part {done} of {total}</source>
            <translation>正在查看第 {done} 部分，共 {total} 部分</translation>
        </message>
        <message>
            <location filename="../../app/views/reading_bar.py" />
            <source>Loading the model</source>
            <translation>正在加载模型</translation>
        </message>
        <message>
            <location filename="../../app/views/reading_bar.py" />
            <source>Loading {name}</source>
            <translation>正在加载 {name}</translation>
        </message>
        <message>
            <location filename="../../app/views/reading_bar.py" />
            <source>Reading in full</source>
            <translation>全文阅读中</translation>
        </message>
        <message>
            <location filename="../../app/views/reading_bar.py" />
            <source>Reading {name} in full</source>
            <translation>正在全文阅读 {name}</translation>
        </message>
        <message>
            <location filename="../../app/views/reading_bar.py" />
            <source>Reading {name} in full, in segments</source>
            <translation>正在分段全文阅读 {name}</translation>
        </message>
        <message>
            <location filename="../../app/views/reading_bar.py" />
            <source>What was read is kept</source>
            <translation>已读的内容会保留</translation>
        </message>
        <message>
            <location filename="../../app/views/reading_bar.py" />
            <source>the engine last spoke {time} ago</source>
            <translation>引擎上次回应在 {time} 前</translation>
        </message>
        <message>
            <location filename="../../app/views/reading_bar.py" />
            <source>{n} a second</source>
            <translation>每秒 {n}</translation>
        </message>
        <message>
            <location filename="../../app/views/reading_bar.py" />
            <source>{n} documents</source>
            <translation>{n} 个文档</translation>
        </message>
        <message>
            <location filename="../../app/views/reading_bar.py" />
            <source>{size}/s</source>
            <translation>{size}/秒</translation>
        </message>
        <message>
            <location filename="../../app/views/reading_bar.py" />
            <source>{time} left</source>
            <translation>剩余 {time}</translation>
        </message>
    </context>
    <context>
        <name>RemoteDialog</name>
        <message>
            <location filename="../../app/views/remote_dialog.py" />
            <source>Do not send</source>
            <translation>不发送</translation>
        </message>
        <message>
            <location filename="../../app/views/remote_dialog.py" />
            <source>Give it</source>
            <translation>交给它</translation>
        </message>
        <message>
            <location filename="../../app/views/remote_dialog.py" />
            <source>Give this conversation to {host}?</source>
            <translation>把此对话交给 {host}？</translation>
        </message>
        <message>
            <location filename="../../app/views/remote_dialog.py" />
            <source>It leaves this computer: the model runs at {host}.</source>
            <translation>内容会离开这台电脑：模型在 {host} 上运行。</translation>
        </message>
        <message>
            <location filename="../../app/views/remote_dialog.py" />
            <source>Send it</source>
            <translation>发送</translation>
        </message>
        <message>
            <location filename="../../app/views/remote_dialog.py" />
            <source>Send this conversation to {host}?</source>
            <translation>把此对话发送到 {host}？</translation>
        </message>
        <message>
            <location filename="../../app/views/remote_dialog.py" />
            <source>Send this conversation?</source>
            <translation>发送此对话？</translation>
        </message>
        <message>
            <location filename="../../app/views/remote_dialog.py" />
            <source>The model is run by another program of this computer, {host}.</source>
            <translation>模型由这台电脑的另一个程序 {host} 运行。</translation>
        </message>
        <message>
            <location filename="../../app/views/remote_dialog.py" />
            <source>What the server does with it is up to who runs it.</source>
            <translation>服务器如何处理它，由其运营者决定。</translation>
        </message>
        <message>
            <location filename="../../app/views/remote_dialog.py" />
            <source>You are asked once in each conversation.</source>
            <translation>每个对话只询问您一次。</translation>
        </message>
        <message>
            <location filename="../../app/views/remote_dialog.py" />
            <source>Your question and what was said before go there.</source>
            <translation>您的问题和此前的对话会发往那里。</translation>
        </message>
        <message>
            <location filename="../../app/views/remote_dialog.py" />
            <source>{names} ({n} documents) go there whole, with your question.</source>
            <translation>{names}（{n} 个文档）会完整地连同您的问题发往那里。</translation>
        </message>
        <message>
            <location filename="../../app/views/remote_dialog.py" />
            <source>{names} goes there whole, with your question.</source>
            <translation>{names} 会完整地连同您的问题发往那里。</translation>
        </message>
        <message>
            <location filename="../../app/views/remote_dialog.py" />
            <source>⚠ The address is http, not https: what is sent can be read on the way.</source>
            <translation>⚠ 地址是 http 而不是 https：发送的内容可能在途中被读取。</translation>
        </message>
    </context>
    <context>
        <name>RevokeDialog</name>
        <message>
            <location filename="../../app/views/revoke_dialog.py" />
            <source>Keep it</source>
            <translation>保留</translation>
        </message>
        <message>
            <location filename="../../app/views/revoke_dialog.py" />
            <source>Revoke it</source>
            <translation>吊销</translation>
        </message>
        <message>
            <location filename="../../app/views/revoke_dialog.py" />
            <source>Revoke the key “{name}”?</source>
            <translation>吊销密钥“{name}”？</translation>
        </message>
        <message>
            <location filename="../../app/views/revoke_dialog.py" />
            <source>Revoke the key?</source>
            <translation>吊销密钥？</translation>
        </message>
        <message>
            <location filename="../../app/views/revoke_dialog.py" />
            <source>The program that uses it gets no answers from now on. The key stays in the list with what it did, and cannot be put in force again; make a new one instead.</source>
            <translation>使用它的程序从现在起得不到回答。密钥连同其使用记录留在列表中，不能再次启用；请改建新密钥。</translation>
        </message>
    </context>
    <context>
        <name>Row</name>
        <message>
            <location filename="../../app/views/findings.py" />
            <source>+{n}</source>
            <translation>+{n}</translation>
        </message>
        <message>
            <location filename="../../app/views/findings.py" />
            <source>Open {place}</source>
            <translation>打开{place}</translation>
        </message>
        <message>
            <location filename="../../app/views/findings.py" />
            <source>{text}: more places</source>
            <translation>{text}：更多位置</translation>
        </message>
        <message>
            <location filename="../../app/views/findings.py" />
            <source>{text}: open {place}</source>
            <translation>{text}：打开{place}</translation>
        </message>
    </context>
    <context>
        <name>RuntimeController</name>
        <message>
            <location filename="../../app/controller/runtimes.py" />
            <source>Installed, and the engine starts anew with it. It computes on {devices}.</source>
            <translation>已安装，引擎正以它重新启动。计算设备：{devices}。</translation>
        </message>
        <message>
            <location filename="../../app/controller/runtimes.py" />
            <source>Stopped; nothing was changed.</source>
            <translation>已停止；未作任何更改。</translation>
        </message>
    </context>
    <context>
        <name>RuntimeRow</name>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>Remove</source>
            <translation>移除</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>The runtime that came with Longread</source>
            <translation>Longread 自带的运行环境</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>Use</source>
            <translation>使用</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>for NVIDIA cards</source>
            <translation>用于 NVIDIA 显卡</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>for the processor</source>
            <translation>用于处理器</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>not made for this version of Longread</source>
            <translation>不适用于此版本的 Longread</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>torch {version}</source>
            <translation>torch {version}</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>{size} on this computer</source>
            <translation>占用本机 {size}</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>{title} · in use</source>
            <translation>{title} · 使用中</translation>
        </message>
    </context>
    <context>
        <name>RuntimesDialog</name>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>Asking {host} which pack there is…</source>
            <translation>正在向 {host} 查询有哪个运行包…</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>Asks there how large the pack is, and you before it is downloaded</source>
            <translation>先查询运行包的大小，下载前会征求您的同意</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>Checking every byte: {done} of {total}</source>
            <translation>正在逐字节检查：{done} / {total}</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>Close</source>
            <translation>关闭</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>Delete it</source>
            <translation>删除</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>Download from {host}…</source>
            <translation>从 {host} 下载…</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>Downloading: {told}</source>
            <translation>正在下载：{told}</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>Graphics card</source>
            <translation>显卡</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>Install a pack</source>
            <translation>安装运行包</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>Install a pack…</source>
            <translation>安装运行包…</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>Packs (*manifest.json *.tar)</source>
            <translation>运行包 (*manifest.json *.tar)</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>Stop</source>
            <translation>停止</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>To compute on an NVIDIA card, Longread needs a pack of some gigabytes: one that you have in a folder, with manifest.json or, from a release, longread-gpu-…-manifest.json, or one that is downloaded. Every byte of it is checked and it is tried out before it is used. The runtime that came along stays, and is used again if the new one cannot be.</source>
            <translation>要在 NVIDIA 显卡上计算，Longread 需要一个数 GB 的运行包：您已有的一个文件夹，其中有 manifest.json 或发布版的 longread-gpu-…-manifest.json；或下载一个。使用前会逐字节检查并试运行。自带的运行环境会保留；新的不能用时，会重新使用它。</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>Trying it out, which may take a minute…</source>
            <translation>正在试运行，可能需要一分钟…</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>Unpacking: {done} of {total}</source>
            <translation>正在解包：{done} / {total}</translation>
        </message>
        <message>
            <location filename="../../app/views/runtimes_dialog.py" />
            <source>{size} of a download that did not end are kept; the next one goes on from there.</source>
            <translation>保留了未完成下载的 {size}；下次会从该处继续。</translation>
        </message>
    </context>
    <context>
        <name>SavedReadings</name>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>1 reading</source>
            <translation>1 份阅读结果</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Automatic</source>
            <translation>自动</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Choose the folder for readings</source>
            <translation>选择阅读结果的文件夹</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Choose…</source>
            <translation>选择…</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Data folder</source>
            <translation>数据文件夹</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Folder</source>
            <translation>文件夹</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Folder for readings</source>
            <translation>阅读结果的文件夹</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Forgotten: {n}, {size}. Nothing is kept now.</source>
            <translation>已忘记：{n}，{size}。现在没有保存任何阅读结果。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>From Apply on nothing is written and nothing is opened: what is read is gone when Longread closes.</source>
            <translation>应用之后不再写入，也不再打开任何阅读结果：关闭 Longread 后，已读的内容即消失。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>How much they take is not known yet.</source>
            <translation>尚不知道它们占用多少空间。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Keep readings in the data folder</source>
            <translation>将阅读结果保存在数据文件夹中</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Keep readings on this computer</source>
            <translation>在这台电脑上保存阅读结果</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Kept</source>
            <translation>保存</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Kept · {taken} of {room}</source>
            <translation>保存 · {taken} / {room}</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Not kept</source>
            <translation>不保存</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Not kept · {size} still there</source>
            <translation>不保存 · 仍有 {size}</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Nothing is kept now.</source>
            <translation>现在没有保存任何阅读结果。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Readings in the folder from before stay there, and are not used.</source>
            <translation>原文件夹中的阅读结果会留在那里，不再使用。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Room for them</source>
            <translation>空间上限</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Those unused longest make room. Automatic here: {size}, a tenth of the free disk, at most 50 GB.</source>
            <translation>最久未用的会让出空间。此处自动为 {size}：可用磁盘空间的十分之一，最多 50 GB。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Those unused longest make room. Automatic: a tenth of the free disk, at most 50 GB.</source>
            <translation>最久未用的会让出空间。自动：可用磁盘空间的十分之一，最多 50 GB。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>What was read once opens again in seconds, also after a restart.</source>
            <translation>读过一次的内容只需数秒即可再次打开，重新启动后也是如此。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>Whoever can open this folder could win your texts back from it.</source>
            <translation>能打开此文件夹的人可能从中还原您的文本。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>in the data folder</source>
            <translation>在数据文件夹中</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>{n} readings</source>
            <translation>{n} 份阅读结果</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_readings.py" />
            <source>{n} take {size} of {room}; {free} are free.</source>
            <translation>{n}占用 {size}，上限 {room}；可用 {free}。</translation>
        </message>
    </context>
    <context>
        <name>SegmentStrip</name>
        <message>
            <location filename="../../app/views/segment_strip.py" />
            <source>Every part of every segment was asked</source>
            <translation>每一段的每个部分都已提问</translation>
        </message>
        <message>
            <location filename="../../app/views/segment_strip.py" />
            <source>Segments of the text</source>
            <translation>文本的各段</translation>
        </message>
        <message>
            <location filename="../../app/views/segment_strip.py" />
            <source>The stronger the colour, the better the question fits the segment</source>
            <translation>颜色越浓，问题与该段越相符</translation>
        </message>
        <message>
            <location filename="../../app/views/segment_strip.py" />
            <source>outlined: not asked ({n})</source>
            <translation>只有轮廓：未提问（{n}）</translation>
        </message>
        <message>
            <location filename="../../app/views/segment_strip.py" />
            <source>✓ the answer was written over it</source>
            <translation>✓ 回答据此生成</translation>
        </message>
    </context>
    <context>
        <name>ServerController</name>
        <message>
            <location filename="../../app/controller/servers.py" />
            <source>Save it to choose its models.</source>
            <translation>保存后即可选择其模型。</translation>
        </message>
        <message>
            <location filename="../../app/controller/servers.py" />
            <source>The server does not list its models; those named here are kept.</source>
            <translation>该服务器不列出其模型；在此写下的模型会保留。</translation>
        </message>
        <message>
            <location filename="../../app/controller/servers.py" />
            <source>⚠ The address is http: what is sent can be read on the way.</source>
            <translation>⚠ 地址是 http：发送的内容可能在途中被读取。</translation>
        </message>
        <message>
            <location filename="../../app/controller/servers.py" />
            <source>✓ {model} answered after {time}.</source>
            <translation>✓ {model} 在 {time} 后作答。</translation>
        </message>
    </context>
    <context>
        <name>ServerForm</name>
        <message>
            <location filename="../../app/views/server_form.py" />
            <source>Address</source>
            <translation>地址</translation>
        </message>
        <message>
            <location filename="../../app/views/server_form.py" />
            <source>Asking for its models and a tiny question…</source>
            <translation>正在询问其模型列表和一个小问题…</translation>
        </message>
        <message>
            <location filename="../../app/views/server_form.py" />
            <source>Back</source>
            <translation>返回</translation>
        </message>
        <message>
            <location filename="../../app/views/server_form.py" />
            <source>Key</source>
            <translation>密钥</translation>
        </message>
        <message>
            <location filename="../../app/views/server_form.py" />
            <source>Longest silence</source>
            <translation>最长静默</translation>
        </message>
        <message>
            <location filename="../../app/views/server_form.py" />
            <source>Models</source>
            <translation>模型</translation>
        </message>
        <message>
            <location filename="../../app/views/server_form.py" />
            <source>Name</source>
            <translation>名称</translation>
        </message>
        <message>
            <location filename="../../app/views/server_form.py" />
            <source>Save</source>
            <translation>保存</translation>
        </message>
        <message>
            <location filename="../../app/views/server_form.py" />
            <source>Test</source>
            <translation>测试</translation>
        </message>
        <message>
            <location filename="../../app/views/server_form.py" />
            <source>The key is kept in providers.json in the data folder, readable for you alone. A server may read a long text for minutes before its first word.</source>
            <translation>密钥保存在数据文件夹的 providers.json 中，仅您可读。服务器在写出第一个词之前，可能要花几分钟阅读长文本。</translation>
        </message>
        <message>
            <location filename="../../app/views/server_form.py" />
            <source>a short name of your own</source>
            <translation>您自己起的简短名称</translation>
        </message>
        <message>
            <location filename="../../app/views/server_form.py" />
            <source>as the server lists them; or named here, with commas</source>
            <translation>以服务器列出的为准；也可在此写下，用逗号分隔</translation>
        </message>
        <message>
            <location filename="../../app/views/server_form.py" />
            <source>as usual</source>
            <translation>默认</translation>
        </message>
        <message>
            <location filename="../../app/views/server_form.py" />
            <source>http://host:8000, with or without /v1</source>
            <translation>http://host:8000，有无 /v1 均可</translation>
        </message>
        <message>
            <location filename="../../app/views/server_form.py" />
            <source>none, or the server's own</source>
            <translation>没有，或服务器自己的密钥</translation>
        </message>
        <message>
            <location filename="../../app/views/server_form.py" />
            <source>or variable with it</source>
            <translation>或存放它的变量</translation>
        </message>
        <message>
            <location filename="../../app/views/server_form.py" />
            <source>second</source>
            <translation>秒</translation>
        </message>
        <message>
            <location filename="../../app/views/server_form.py" />
            <source>seconds</source>
            <translation>秒</translation>
        </message>
        <message>
            <location filename="../../app/views/server_form.py" />
            <source>such as OPENAI_API_KEY</source>
            <translation>例如 OPENAI_API_KEY</translation>
        </message>
    </context>
    <context>
        <name>ServerRow</name>
        <message>
            <location filename="../../app/views/servers_dialog.py" />
            <source>1 model</source>
            <translation>1 个模型</translation>
        </message>
        <message>
            <location filename="../../app/views/servers_dialog.py" />
            <source>Edit and test…</source>
            <translation>编辑和测试…</translation>
        </message>
        <message>
            <location filename="../../app/views/servers_dialog.py" />
            <source>Remove</source>
            <translation>移除</translation>
        </message>
        <message>
            <location filename="../../app/views/servers_dialog.py" />
            <source>key in {variable}</source>
            <translation>密钥在 {variable} 中</translation>
        </message>
        <message>
            <location filename="../../app/views/servers_dialog.py" />
            <source>key kept here</source>
            <translation>密钥保存在这台电脑</translation>
        </message>
        <message>
            <location filename="../../app/views/servers_dialog.py" />
            <source>models not listed yet</source>
            <translation>尚未列出模型</translation>
        </message>
        <message>
            <location filename="../../app/views/servers_dialog.py" />
            <source>no key</source>
            <translation>无密钥</translation>
        </message>
        <message>
            <location filename="../../app/views/servers_dialog.py" />
            <source>{n} models</source>
            <translation>{n} 个模型</translation>
        </message>
    </context>
    <context>
        <name>ServersDialog</name>
        <message>
            <location filename="../../app/views/servers_dialog.py" />
            <source>Add a server…</source>
            <translation>添加服务器…</translation>
        </message>
        <message>
            <location filename="../../app/views/servers_dialog.py" />
            <source>Addresses of this computer are reached past any proxy; other servers through it, unless NO_PROXY names them.</source>
            <translation>访问这台电脑地址时绕过一切代理；访问其他服务器时经过代理，除非 NO_PROXY 中写有它们。</translation>
        </message>
        <message>
            <location filename="../../app/views/servers_dialog.py" />
            <source>Close</source>
            <translation>关闭</translation>
        </message>
        <message>
            <location filename="../../app/views/servers_dialog.py" />
            <source>Models on other computers</source>
            <translation>其他电脑上的模型</translation>
        </message>
        <message>
            <location filename="../../app/views/servers_dialog.py" />
            <source>No servers yet.</source>
            <translation>还没有服务器。</translation>
        </message>
        <message>
            <location filename="../../app/views/servers_dialog.py" />
            <source>Servers that speak OpenAI's protocol: SGLang, vLLM, llama.cpp, or Longread on another computer. Nothing is connected until you test one or ask one, and you are asked before a conversation is first sent.</source>
            <translation>使用 OpenAI 协议的服务器：SGLang、vLLM、llama.cpp 或另一台电脑上的 Longread。在您测试或提问之前不会建立连接，对话首次发送之前会询问您。</translation>
        </message>
        <message>
            <location filename="../../app/views/servers_dialog.py" />
            <source>{variable} names {address}; something answers there.</source>
            <translation>{variable} 指向 {address}；那里有应答。</translation>
        </message>
        <message>
            <location filename="../../app/views/servers_dialog.py" />
            <source>⚠ {variable} names {address}, where nothing answers.</source>
            <translation>⚠ {variable} 指向 {address}，那里没有应答。</translation>
        </message>
    </context>
    <context>
        <name>SettingsPanel</name>
        <message>
            <location filename="../../app/views/settings_panel.py" />
            <source>Apply</source>
            <translation>应用</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_panel.py" />
            <source>Back to the settings before the last Apply</source>
            <translation>回到上次应用之前的设置</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_panel.py" />
            <source>Back to the settings in use</source>
            <translation>回到使用中的设置</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_panel.py" />
            <source>Close the settings</source>
            <translation>关闭设置</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_panel.py" />
            <source>Model settings</source>
            <translation>模型设置</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_panel.py" />
            <source>More</source>
            <translation>更多</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_panel.py" />
            <source>Readings kept on this computer</source>
            <translation>保存在这台电脑上的阅读结果</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_panel.py" />
            <source>Stretch the window instead</source>
            <translation>改为拉伸窗口</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_panel.py" />
            <source>Texts longer than the window</source>
            <translation>超出窗口的文本</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_panel.py" />
            <source>Undo</source>
            <translation>撤销</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_panel.py" />
            <source>What is kept</source>
            <translation>保留内容</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_panel.py" />
            <source>decided by {host}</source>
            <translation>由 {host} 决定</translation>
        </message>
    </context>
    <context>
        <name>ShortcutsPage</name>
        <message>
            <location filename="../../app/views/shortcuts.py" />
            <source> or </source>
            <translation> 或 </translation>
        </message>
        <message>
            <location filename="../../app/views/shortcuts.py" />
            <source>BEFORE READING</source>
            <translation>阅读之前</translation>
        </message>
        <message>
            <location filename="../../app/views/shortcuts.py" />
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <location filename="../../app/views/shortcuts.py" />
            <source>EVERYWHERE</source>
            <translation>所有位置</translation>
        </message>
        <message>
            <location filename="../../app/views/shortcuts.py" />
            <source>Fold or unfold a matter</source>
            <translation>折叠或展开事项</translation>
        </message>
        <message>
            <location filename="../../app/views/shortcuts.py" />
            <source>Forget the reading of a document</source>
            <translation>忘记某个文档的阅读结果</translation>
        </message>
        <message>
            <location filename="../../app/views/shortcuts.py" />
            <source>IN LISTS</source>
            <translation>在列表中</translation>
        </message>
        <message>
            <location filename="../../app/views/shortcuts.py" />
            <source>Include or leave out an item</source>
            <translation>纳入或去掉一项</translation>
        </message>
        <message>
            <location filename="../../app/views/shortcuts.py" />
            <source>List what is left out of an item</source>
            <translation>列出一项中未纳入的内容</translation>
        </message>
        <message>
            <location filename="../../app/views/shortcuts.py" />
            <source>Open</source>
            <translation>打开</translation>
        </message>
        <message>
            <location filename="../../app/views/shortcuts.py" />
            <source>Read in full</source>
            <translation>全文阅读</translation>
        </message>
        <message>
            <location filename="../../app/views/shortcuts.py" />
            <source>Remove, or take out of a matter, with a way back</source>
            <translation>移除，或从事项中取出，可以撤销</translation>
        </message>
        <message>
            <location filename="../../app/views/shortcuts.py" />
            <source>Rename a conversation or a matter</source>
            <translation>重命名对话或事项</translation>
        </message>
        <message>
            <location filename="../../app/views/shortcuts.py" />
            <source>Shortcuts</source>
            <translation>快捷键</translation>
        </message>
    </context>
    <context>
        <name>Sidebar</name>
        <message>
            <location filename="../../app/views/sidebar.py" />
            <source>CONVERSATIONS</source>
            <translation>对话</translation>
        </message>
        <message>
            <location filename="../../app/views/sidebar.py" />
            <source>Conversations</source>
            <translation>对话</translation>
        </message>
        <message>
            <location filename="../../app/views/sidebar.py" />
            <source>Delete the conversation</source>
            <translation>删除对话</translation>
        </message>
        <message>
            <location filename="../../app/views/sidebar.py" />
            <source>Drop files or a folder on the window. They are read in full, here.</source>
            <translation>把文件或文件夹拖到窗口上。它们会在这里被全文阅读。</translation>
        </message>
        <message>
            <location filename="../../app/views/sidebar.py" />
            <source>FOUND IN CONVERSATIONS</source>
            <translation>在对话中找到</translation>
        </message>
        <message>
            <location filename="../../app/views/sidebar.py" />
            <source>FOUND IN DOCUMENTS</source>
            <translation>在文档中找到</translation>
        </message>
        <message>
            <location filename="../../app/views/sidebar.py" />
            <source>Find anything</source>
            <translation>查找任何内容</translation>
        </message>
        <message>
            <location filename="../../app/views/sidebar.py" />
            <source>Find anything…   {keys}</source>
            <translation>查找任何内容…   {keys}</translation>
        </message>
        <message>
            <location filename="../../app/views/sidebar.py" />
            <source>Found in conversations</source>
            <translation>在对话中找到</translation>
        </message>
        <message>
            <location filename="../../app/views/sidebar.py" />
            <source>Found in documents</source>
            <translation>在文档中找到</translation>
        </message>
        <message>
            <location filename="../../app/views/sidebar.py" />
            <source>LIBRARY</source>
            <translation>资料库</translation>
        </message>
        <message>
            <location filename="../../app/views/sidebar.py" />
            <source>New conversation</source>
            <translation>新对话</translation>
        </message>
        <message>
            <location filename="../../app/views/sidebar.py" />
            <source>New matter</source>
            <translation>新事项</translation>
        </message>
        <message>
            <location filename="../../app/views/sidebar.py" />
            <source>Nothing found.</source>
            <translation>没有找到。</translation>
        </message>
        <message>
            <location filename="../../app/views/sidebar.py" />
            <source>Preparing the search: {percent}</source>
            <translation>正在准备查找：{percent}</translation>
        </message>
        <message>
            <location filename="../../app/views/sidebar.py" />
            <source>Rename</source>
            <translation>重命名</translation>
        </message>
        <message>
            <location filename="../../app/views/sidebar.py" />
            <source>Show more places</source>
            <translation>显示更多位置</translation>
        </message>
        <message>
            <location filename="../../app/views/sidebar.py" />
            <source>{documents} not searched yet</source>
            <translation>尚未查找 {documents}</translation>
        </message>
    </context>
    <context>
        <name>SnippetController</name>
        <message>
            <location filename="../../app/controller/snippets.py" />
            <source>Save a client's settings</source>
            <translation>保存客户端设置</translation>
        </message>
    </context>
    <context>
        <name>Snippets</name>
        <message>
            <location filename="../../app/views/snippets.py" />
            <source>Address, key, models and time-out, for programs that read such a file</source>
            <translation>地址、密钥、模型和超时，供读取此类文件的程序使用</translation>
        </message>
        <message>
            <location filename="../../app/views/snippets.py" />
            <source>Key</source>
            <translation>密钥</translation>
        </message>
        <message>
            <location filename="../../app/views/snippets.py" />
            <source>Model</source>
            <translation>模型</translation>
        </message>
        <message>
            <location filename="../../app/views/snippets.py" />
            <source>Program</source>
            <translation>程序</translation>
        </message>
        <message>
            <location filename="../../app/views/snippets.py" />
            <source>Save a settings.json…</source>
            <translation>保存 settings.json…</translation>
        </message>
        <message>
            <location filename="../../app/views/snippets.py" />
            <source>Settings for {program}</source>
            <translation>{program} 的设置</translation>
        </message>
        <message>
            <location filename="../../app/views/snippets.py" />
            <source>paste its secret</source>
            <translation>粘贴密钥内容</translation>
        </message>
        <message>
            <location filename="../../app/views/snippets.py" />
            <source>the settings</source>
            <translation>设置</translation>
        </message>
        <message>
            <location filename="../../app/views/snippets.py" />
            <source>{file} is saved, readable for you alone: it holds the key.</source>
            <translation>{file} 已保存，仅您可读：其中含有密钥。</translation>
        </message>
        <message>
            <location filename="../../app/views/snippets.py" />
            <source>{file} is saved; the key is taken from the variable {variable}.</source>
            <translation>{file} 已保存；密钥取自变量 {variable}。</translation>
        </message>
    </context>
    <context>
        <name>SourcePane</name>
        <message>
            <location filename="../../app/views/source.py" />
            <source>After GB/T 7714</source>
            <translation>按 GB/T 7714 格式</translation>
        </message>
        <message>
            <location filename="../../app/views/source.py" />
            <source>As printed</source>
            <translation>原版式</translation>
        </message>
        <message>
            <location filename="../../app/views/source.py" />
            <source>Copy with reference</source>
            <translation>连同出处一起复制</translation>
        </message>
        <message>
            <location filename="../../app/views/source.py" />
            <source>Evidence</source>
            <translation>依据</translation>
        </message>
        <message>
            <location filename="../../app/views/source.py" />
            <source>Find in this document</source>
            <translation>在此文档中查找</translation>
        </message>
        <message>
            <location filename="../../app/views/source.py" />
            <source>Hide the source</source>
            <translation>隐藏原文</translation>
        </message>
        <message>
            <location filename="../../app/views/source.py" />
            <source>In the manner of the Bluebook</source>
            <translation>按 Bluebook 格式</translation>
        </message>
        <message>
            <location filename="../../app/views/source.py" />
            <source>Keep this page, and open others beside it</source>
            <translation>保留此页，并在旁边打开其他页</translation>
        </message>
        <message>
            <location filename="../../app/views/source.py" />
            <source>Larger</source>
            <translation>放大</translation>
        </message>
        <message>
            <location filename="../../app/views/source.py" />
            <source>Page</source>
            <translation>页面</translation>
        </message>
        <message>
            <location filename="../../app/views/source.py" />
            <source>Smaller</source>
            <translation>缩小</translation>
        </message>
        <message>
            <location filename="../../app/views/source.py" />
            <source>Verify</source>
            <translation>验证</translation>
        </message>
        <message>
            <location filename="../../app/views/source.py" />
            <source>With document and page</source>
            <translation>附文档和页码</translation>
        </message>
    </context>
    <context>
        <name>StretchSection</name>
        <message>
            <location filename="../../app/views/settings_stretch.py" />
            <source>None</source>
            <translation>无</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_stretch.py" />
            <source>Not stretched</source>
            <translation>未拉伸</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_stretch.py" />
            <source>Quality falls, most of all beyond {tokens}, twice the native window. Short texts are answered worse too.</source>
            <translation>质量会下降，超过 {tokens}（原生窗口的两倍）后尤其如此。对短文本的回答也会变差。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_stretch.py" />
            <source>Slow positions are stretched, fast ones left: holds best far out</source>
            <translation>拉伸变化慢的位置，保留变化快的：远处保持得最好</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_stretch.py" />
            <source>Stretch the window</source>
            <translation>拉伸窗口</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_stretch.py" />
            <source>The rotation's base grows: a little worse far out, gentler near</source>
            <translation>增大旋转的底数：远处稍差，近处影响较小</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_stretch.py" />
            <source>The whole text is read in one piece, by positions the model was not made for. Better than segments for questions that need all of it, as counting or summarising; slower, and with more memory.</source>
            <translation>全文作为一个整体阅读，所用的位置超出模型支持的范围。对于需要全文的问题，例如计数或概括，比分段更好；更慢，占用内存也更多。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_stretch.py" />
            <source>The window is at most the one that the model was made for</source>
            <translation>窗口最大为该模型支持的窗口</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_stretch.py" />
            <source>The window stays the model's own, {tokens}.</source>
            <translation>窗口保持模型自身的大小，{tokens}。</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_stretch.py" />
            <source>{name} to {tokens} · quality falls</source>
            <translation>{name}，到 {tokens} · 质量下降</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_stretch.py" />
            <source>{name} · the window is not beyond the native one</source>
            <translation>{name} · 窗口未超过原生窗口</translation>
        </message>
        <message>
            <location filename="../../app/views/settings_stretch.py" />
            <source>{name} · this model cannot be stretched</source>
            <translation>{name} · 此模型不能拉伸</translation>
        </message>
    </context>
    <context>
        <name>TestCard</name>
        <message>
            <location filename="../../app/views/verify_card.py" />
            <source>not run</source>
            <translation>未运行</translation>
        </message>
        <message>
            <location filename="../../app/views/verify_card.py" />
            <source>running</source>
            <translation>进行中</translation>
        </message>
        <message>
            <location filename="../../app/views/verify_card.py" />
            <source>waits</source>
            <translation>等待中</translation>
        </message>
    </context>
    <context>
        <name>TextPage</name>
        <message>
            <location filename="../../app/views/text_page.py" />
            <source>Text of the page</source>
            <translation>页面文本</translation>
        </message>
    </context>
    <context>
        <name>VerifyController</name>
        <message>
            <location filename="../../app/controller/verify.py" />
            <source>Certificate</source>
            <translation>证书</translation>
        </message>
        <message>
            <location filename="../../app/controller/verify.py" />
            <source>It could not be verified now. Try again when the engine runs.</source>
            <translation>现在无法验证。请在引擎运行后重试。</translation>
        </message>
        <message>
            <location filename="../../app/controller/verify.py" />
            <source>JSON (*.json)</source>
            <translation>JSON (*.json)</translation>
        </message>
        <message>
            <location filename="../../app/controller/verify.py" />
            <source>Markdown (*.md)</source>
            <translation>Markdown (*.md)</translation>
        </message>
        <message>
            <location filename="../../app/controller/verify.py" />
            <source>PDF (*.pdf)</source>
            <translation>PDF (*.pdf)</translation>
        </message>
        <message>
            <location filename="../../app/controller/verify.py" />
            <source>Save the certificate</source>
            <translation>保存证书</translation>
        </message>
    </context>
    <context>
        <name>VerifyView</name>
        <message>
            <location filename="../../app/views/verify_view.py" />
            <source>About {time} with this model.</source>
            <translation>用此模型大约需要 {time}。</translation>
        </message>
        <message>
            <location filename="../../app/views/verify_view.py" />
            <source>Facts are planted in a copy; the documents themselves stay as they are.</source>
            <translation>事实只埋入副本；文档本身保持不变。</translation>
        </message>
        <message>
            <location filename="../../app/views/verify_view.py" />
            <source>How much is verified</source>
            <translation>验证多少</translation>
        </message>
        <message>
            <location filename="../../app/views/verify_view.py" />
            <source>In a copy of the attached documents</source>
            <translation>用所附文档的副本</translation>
        </message>
        <message>
            <location filename="../../app/views/verify_view.py" />
            <source>Questions whose answers are known are asked about long texts and short ones, with the model and the settings in use. Verdicts come one by one; your own questions go first meanwhile.</source>
            <translation>用当前的模型和设置，对长文本和短文本提出答案已知的问题。结论逐项给出；其间您自己的问题优先。</translation>
        </message>
        <message>
            <location filename="../../app/views/verify_view.py" />
            <source>Save the certificate…</source>
            <translation>保存证书…</translation>
        </message>
        <message>
            <location filename="../../app/views/verify_view.py" />
            <source>Stop</source>
            <translation>停止</translation>
        </message>
        <message>
            <location filename="../../app/views/verify_view.py" />
            <source>Stopped. What has a verdict keeps it.</source>
            <translation>已停止。已有结论的保留结论。</translation>
        </message>
        <message>
            <location filename="../../app/views/verify_view.py" />
            <source>Verify</source>
            <translation>验证</translation>
        </message>
        <message>
            <location filename="../../app/views/verify_view.py" />
            <source>What was verified</source>
            <translation>验证的内容</translation>
        </message>
        <message>
            <location filename="../../app/views/verify_view.py" />
            <source>waits</source>
            <translation>等待中</translation>
        </message>
        <message>
            <location filename="../../app/views/verify_view.py" />
            <source>{sign} {verdict}. With the seed {seed} the same is asked again.</source>
            <translation>{sign} {verdict}。用种子 {seed} 可以再次提出同样的问题。</translation>
        </message>
    </context>
    <context>
        <name>WindowSlider</name>
        <message>
            <location filename="../../app/views/window_slider.py" />
            <source>Context window</source>
            <translation>上下文窗口</translation>
        </message>
        <message>
            <location filename="../../app/views/window_slider.py" />
            <source>{tokens}, does not fit in memory</source>
            <translation>{tokens}，超出内存容量</translation>
        </message>
    </context>
    <context>
        <name>_Editor</name>
        <message>
            <location filename="../../app/views/question.py" />
            <source>Ask again</source>
            <translation>再次提问</translation>
        </message>
        <message>
            <location filename="../../app/views/question.py" />
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <location filename="../../app/views/question.py" />
            <source>The answers below it are written again. This can be undone.</source>
            <translation>其后的回答会重新生成。可以撤销。</translation>
        </message>
        <message>
            <location filename="../../app/views/question.py" />
            <source>The question, to be edited</source>
            <translation>要编辑的问题</translation>
        </message>
    </context>
    <context>
        <name>_File</name>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>Choose a file: {what}</source>
            <translation>选择文件：{what}</translation>
        </message>
        <message>
            <location filename="../../app/views/gateway_where.py" />
            <source>Choose…</source>
            <translation>选择…</translation>
        </message>
    </context>
    <context>
        <name>changes</name>
        <message>
            <location filename="../../app/models/changes.py" />
            <source>1 passage added</source>
            <translation>新增 1 个段落</translation>
        </message>
        <message>
            <location filename="../../app/models/changes.py" />
            <source>1 passage changed</source>
            <translation>改动 1 个段落</translation>
        </message>
        <message>
            <location filename="../../app/models/changes.py" />
            <source>1 passage removed</source>
            <translation>删除 1 个段落</translation>
        </message>
        <message>
            <location filename="../../app/models/changes.py" />
            <source>added</source>
            <translation>新增</translation>
        </message>
        <message>
            <location filename="../../app/models/changes.py" />
            <source>changed</source>
            <translation>改动</translation>
        </message>
        <message>
            <location filename="../../app/models/changes.py" />
            <source>no passage changed, only what stands between them</source>
            <translation>段落没有改动，只改动了段落之间的内容</translation>
        </message>
        <message>
            <location filename="../../app/models/changes.py" />
            <source>removed</source>
            <translation>删除</translation>
        </message>
        <message>
            <location filename="../../app/models/changes.py" />
            <source>{n} passages added</source>
            <translation>新增 {n} 个段落</translation>
        </message>
        <message>
            <location filename="../../app/models/changes.py" />
            <source>{n} passages changed</source>
            <translation>改动 {n} 个段落</translation>
        </message>
        <message>
            <location filename="../../app/models/changes.py" />
            <source>{n} passages removed</source>
            <translation>删除 {n} 个段落</translation>
        </message>
    </context>
    <context>
        <name>downloads</name>
        <message>
            <location filename="../../app/models/downloads.py" />
            <source>the download stopped</source>
            <translation>下载已停止</translation>
        </message>
        <message>
            <location filename="../../app/models/downloads.py" />
            <source>{done} of {total}</source>
            <translation>{done} / {total}</translation>
        </message>
        <message>
            <location filename="../../app/models/downloads.py" />
            <source>{of} · checking that it arrived whole</source>
            <translation>{of} · 正在检查是否完整</translation>
        </message>
        <message>
            <location filename="../../app/models/downloads.py" />
            <source>{of} · paused; what arrived is kept</source>
            <translation>{of} · 已暂停；已下载的部分会保留</translation>
        </message>
        <message>
            <location filename="../../app/models/downloads.py" />
            <source>{of} · {problem}</source>
            <translation>{of} · {problem}</translation>
        </message>
        <message>
            <location filename="../../app/models/downloads.py" />
            <source>{size}/s</source>
            <translation>{size}/秒</translation>
        </message>
        <message>
            <location filename="../../app/models/downloads.py" />
            <source>{time} left</source>
            <translation>剩余 {time}</translation>
        </message>
    </context>
    <context>
        <name>edit_words</name>
        <message>
            <location filename="../../app/models/edit_words.py" />
            <source>About {read} of {total} are read again, at once.</source>
            <translation>{total} 中约有 {read} 个词元会重新读取，立即完成。</translation>
        </message>
        <message>
            <location filename="../../app/models/edit_words.py" />
            <source>About {read} of {total} are read again, in about {time}.</source>
            <translation>{total}中约有 {read} 个会重新阅读，大约需要 {time}。</translation>
        </message>
        <message>
            <location filename="../../app/models/edit_words.py" />
            <source>About {read} of {total} are read again.</source>
            <translation>{total}中约有 {read} 个会重新阅读。</translation>
        </message>
        <message>
            <location filename="../../app/models/edit_words.py" />
            <source>The question is put to 1 segment.</source>
            <translation>问题会对 1 段提出。</translation>
        </message>
        <message>
            <location filename="../../app/models/edit_words.py" />
            <source>The question is put to {n} segments.</source>
            <translation>问题会对 {n} 段逐一提出。</translation>
        </message>
        <message>
            <location filename="../../app/models/edit_words.py" />
            <source>{tokens} are opened from disk.</source>
            <translation>从磁盘打开 {tokens}。</translation>
        </message>
    </context>
    <context>
        <name>elsewhere_words</name>
        <message>
            <location filename="../../app/models/elsewhere_words.py" />
            <source>another program here: {host}</source>
            <translation>这台电脑的另一个程序：{host}</translation>
        </message>
        <message>
            <location filename="../../app/models/elsewhere_words.py" />
            <source>leaves this computer: {host}</source>
            <translation>离开这台电脑：{host}</translation>
        </message>
    </context>
    <context>
        <name>findings</name>
        <message>
            <location filename="../../app/views/findings.py" />
            <source>not in that part of the text ({nats} nats)</source>
            <translation>不在文本的该部分中（{nats} nat）</translation>
        </message>
        <message>
            <location filename="../../app/views/findings.py" />
            <source>the model was not sure ({nats} nats)</source>
            <translation>模型不确定（{nats} nat）</translation>
        </message>
    </context>
    <context>
        <name>forgetting_words</name>
        <message>
            <location filename="../../app/models/forgetting_words.py" />
            <source>Most was forgotten of {places}</source>
            <translation>遗忘最多的是 {places}</translation>
        </message>
        <message>
            <location filename="../../app/models/forgetting_words.py" />
            <source>{n} of {tokens} ({policy})</source>
            <translation>{tokens} 中的 {n} 个（{policy}）</translation>
        </message>
        <message>
            <location filename="../../app/models/forgetting_words.py" />
            <source>{places} and {n} more</source>
            <translation>{places} 及另外 {n} 处</translation>
        </message>
        <message>
            <location filename="../../app/models/forgetting_words.py" />
            <source>{share} forgotten</source>
            <translation>遗忘 {share}</translation>
        </message>
    </context>
    <context>
        <name>found_texts</name>
        <message>
            <location filename="../../app/models/found_texts.py" />
            <source>1 place in {documents}</source>
            <translation>{documents}中的 1 处</translation>
        </message>
        <message>
            <location filename="../../app/models/found_texts.py" />
            <source>{n} places in {documents}</source>
            <translation>{documents}中的 {n} 处</translation>
        </message>
    </context>
    <context>
        <name>inline</name>
        <message>
            <location filename="../../app/views/inline.py" />
            <source>[picture: {words}]</source>
            <translation>[图片：{words}]</translation>
        </message>
    </context>
    <context>
        <name>key_words</name>
        <message>
            <location filename="../../app/models/key_words.py" />
            <source>1 request</source>
            <translation>1 个请求</translation>
        </message>
        <message>
            <location filename="../../app/models/key_words.py" />
            <source>1 request under way.</source>
            <translation>1 个请求正在处理。</translation>
        </message>
        <message>
            <location filename="../../app/models/key_words.py" />
            <source>All models</source>
            <translation>所有模型</translation>
        </message>
        <message>
            <location filename="../../app/models/key_words.py" />
            <source>No request under way.</source>
            <translation>没有正在处理的请求。</translation>
        </message>
        <message>
            <location filename="../../app/models/key_words.py" />
            <source>Not used yet</source>
            <translation>尚未使用</translation>
        </message>
        <message>
            <location filename="../../app/models/key_words.py" />
            <source>Revoked {moment}</source>
            <translation>{moment} 吊销</translation>
        </message>
        <message>
            <location filename="../../app/models/key_words.py" />
            <source>Used {moment}</source>
            <translation>{moment} 使用过</translation>
        </message>
        <message>
            <location filename="../../app/models/key_words.py" />
            <source>a document that was deleted</source>
            <translation>已删除的文档</translation>
        </message>
        <message>
            <location filename="../../app/models/key_words.py" />
            <source>all documents</source>
            <translation>所有文档</translation>
        </message>
        <message>
            <location filename="../../app/models/key_words.py" />
            <source>engines on other computers too</source>
            <translation>也可用其他电脑上的引擎</translation>
        </message>
        <message>
            <location filename="../../app/models/key_words.py" />
            <source>last request: {error}</source>
            <translation>上次请求：{error}</translation>
        </message>
        <message>
            <location filename="../../app/models/key_words.py" />
            <source>this computer's engine only</source>
            <translation>仅限这台电脑的引擎</translation>
        </message>
        <message>
            <location filename="../../app/models/key_words.py" />
            <source>{n} of them reused</source>
            <translation>其中 {n} 重用</translation>
        </message>
        <message>
            <location filename="../../app/models/key_words.py" />
            <source>{n} of {most} tokens today</source>
            <translation>今日 {n} / {most} 词元</translation>
        </message>
        <message>
            <location filename="../../app/models/key_words.py" />
            <source>{n} of {most} tokens today: refused until midnight</source>
            <translation>今日 {n} / {most} 词元：零点前拒绝</translation>
        </message>
        <message>
            <location filename="../../app/models/key_words.py" />
            <source>{n} requests</source>
            <translation>{n} 个请求</translation>
        </message>
        <message>
            <location filename="../../app/models/key_words.py" />
            <source>{n} requests under way.</source>
            <translation>{n} 个请求正在处理。</translation>
        </message>
        <message>
            <location filename="../../app/models/key_words.py" />
            <source>{n} tokens in all</source>
            <translation>共 {n} 词元</translation>
        </message>
        <message>
            <location filename="../../app/models/key_words.py" />
            <source>{n} tokens today</source>
            <translation>今日 {n} 词元</translation>
        </message>
    </context>
    <context>
        <name>ledger_details</name>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>Asked</source>
            <translation>提问</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>Device</source>
            <translation>设备</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>Document</source>
            <translation>文档</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>Forgotten</source>
            <translation>遗忘</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>Joined</source>
            <translation>拼接</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>Kept</source>
            <translation>保留</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>Keys and values</source>
            <translation>键和值</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>Layers</source>
            <translation>层</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>Model</source>
            <translation>模型</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>Note</source>
            <translation>备注</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>Opened from disk</source>
            <translation>从磁盘打开</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>Policy</source>
            <translation>策略</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>Prompt</source>
            <translation>提示</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>Reading</source>
            <translation>阅读</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>Seed</source>
            <translation>随机种子</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>Server</source>
            <translation>服务器</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>Share that was forgotten</source>
            <translation>遗忘的比例</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>Temperature</source>
            <translation>温度</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>Written</source>
            <translation>已生成</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>Written with</source>
            <translation>生成方式</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>all heads choose together</source>
            <translation>所有头共同选择</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>as int8: half the size, rounded</source>
            <translation>以 int8 存放：大小减半，有舍入</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>as the model computes them</source>
            <translation>与模型计算时一致</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>by the mean of a group's heads</source>
            <translation>按组内各头的平均</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>by the strongest of a group's heads</source>
            <translation>按组内最强的头</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>each at its own positions (shared)</source>
            <translation>各段在自身的位置（共享）</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>every head chooses for itself</source>
            <translation>每个头各自选择</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>every part: {n}</source>
            <translation>每个部分：{n}</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>heads choose alike in every layer</source>
            <translation>各头在每一层选择相同</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>one after the other (consecutive)</source>
            <translation>逐段接续（连续）</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>their text read again together (reread)</source>
            <translation>各段文本一起重新阅读（重新阅读）</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>{asked} of {total} segments</source>
            <translation>{asked} 段，共 {total} 段</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>{n} left out</source>
            <translation>未纳入 {n} 项</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>{n} lightning</source>
            <translation>{n} 层闪电注意力</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>{n} over blocks that each head chose (MoBA)</source>
            <translation>{n} 层只看每个头各自选出的块（MoBA）</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>{n} over compressed, chosen and near rows (NSA)</source>
            <translation>{n} 层看压缩的、选出的和邻近的行（NSA）</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>{n} reading over chosen blocks</source>
            <translation>{n} 层按选出的块读取</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>{n} sparse over all of a short text</source>
            <translation>{n} 层稀疏注意力，看了短文本的全部</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>{n} sparse over chosen blocks</source>
            <translation>{n} 层稀疏注意力，只看选出的块</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>{n} with attention to what is near</source>
            <translation>{n} 层只看邻近内容的注意力</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>{n} with full attention</source>
            <translation>{n} 层全注意力</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>{n} writing over chosen pages</source>
            <translation>{n} 层按选出的页书写</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>{tokens} in every head, {budget} at the prompt's end</source>
            <translation>每个头 {tokens}，提示结束时 {budget} 个</translation>
        </message>
        <message>
            <location filename="../../app/views/ledger_details.py" />
            <source>{tokens} not read</source>
            <translation>未读 {tokens}</translation>
        </message>
    </context>
    <context>
        <name>library_menu</name>
        <message>
            <location filename="../../app/views/library_menu.py" />
            <source>Attach to the question</source>
            <translation>附加到问题</translation>
        </message>
        <message>
            <location filename="../../app/views/library_menu.py" />
            <source>Attach {documents} to the question</source>
            <translation>将 {documents}附加到问题</translation>
        </message>
        <message>
            <location filename="../../app/views/library_menu.py" />
            <source>Delete for good…</source>
            <translation>永久删除…</translation>
        </message>
        <message>
            <location filename="../../app/views/library_menu.py" />
            <source>Delete the matter; its documents stay</source>
            <translation>删除事项，保留其中的文档</translation>
        </message>
        <message>
            <location filename="../../app/views/library_menu.py" />
            <source>Delete {documents} for good…</source>
            <translation>永久删除 {documents}…</translation>
        </message>
        <message>
            <location filename="../../app/views/library_menu.py" />
            <source>Export {documents}…</source>
            <translation>导出 {documents}…</translation>
        </message>
        <message>
            <location filename="../../app/views/library_menu.py" />
            <source>Export…</source>
            <translation>导出…</translation>
        </message>
        <message>
            <location filename="../../app/views/library_menu.py" />
            <source>Forget this reading…</source>
            <translation>忘记此阅读结果…</translation>
        </message>
        <message>
            <location filename="../../app/views/library_menu.py" />
            <source>New matter…</source>
            <translation>新事项…</translation>
        </message>
        <message>
            <location filename="../../app/views/library_menu.py" />
            <source>Put back into the library</source>
            <translation>放回资料库</translation>
        </message>
        <message>
            <location filename="../../app/views/library_menu.py" />
            <source>Put into a matter</source>
            <translation>放入事项</translation>
        </message>
        <message>
            <location filename="../../app/views/library_menu.py" />
            <source>Put {documents} back into the library</source>
            <translation>将 {documents}放回资料库</translation>
        </message>
        <message>
            <location filename="../../app/views/library_menu.py" />
            <source>Read the new version</source>
            <translation>读取新版本</translation>
        </message>
        <message>
            <location filename="../../app/views/library_menu.py" />
            <source>Remove from the library</source>
            <translation>从资料库移除</translation>
        </message>
        <message>
            <location filename="../../app/views/library_menu.py" />
            <source>Rename</source>
            <translation>重命名</translation>
        </message>
        <message>
            <location filename="../../app/views/library_menu.py" />
            <source>Show its text</source>
            <translation>显示文本</translation>
        </message>
        <message>
            <location filename="../../app/views/library_menu.py" />
            <source>Show what changed</source>
            <translation>显示改动</translation>
        </message>
        <message>
            <location filename="../../app/views/library_menu.py" />
            <source>Take out of “{matter}”</source>
            <translation>从“{matter}”中取出</translation>
        </message>
    </context>
    <context>
        <name>menus</name>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>&amp;Document</source>
            <translation>文档(&amp;D)</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>&amp;Edit</source>
            <translation>编辑(&amp;E)</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>&amp;File</source>
            <translation>文件(&amp;F)</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>&amp;Help</source>
            <translation>帮助(&amp;H)</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>&amp;Tools</source>
            <translation>工具(&amp;T)</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>&amp;View</source>
            <translation>视图(&amp;V)</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>About Longread</source>
            <translation>关于 Longread</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Add documents…</source>
            <translation>添加文档…</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Add folder…</source>
            <translation>添加文件夹…</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>As the system</source>
            <translation>跟随系统</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Ask</source>
            <translation>提问</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Attach the chosen documents</source>
            <translation>附加所选文档</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Colours</source>
            <translation>颜色</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Copy the last answer</source>
            <translation>复制最近的回答</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Dark</source>
            <translation>深色</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Delete the chosen documents for good…</source>
            <translation>永久删除所选文档…</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Export conversation…</source>
            <translation>导出对话…</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Export the chosen documents…</source>
            <translation>导出所选文档…</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Find anything</source>
            <translation>查找任何内容</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Find here</source>
            <translation>在此查找</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Find in the source</source>
            <translation>在原文中查找</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Forget the reading of the chosen document…</source>
            <translation>忘记所选文档的阅读结果…</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Go over every part of the text</source>
            <translation>查遍全文的每个部分</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Go to the question</source>
            <translation>转到问题</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Graphics card…</source>
            <translation>显卡…</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Keyboard shortcuts</source>
            <translation>键盘快捷键</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Library and conversations</source>
            <translation>资料库和对话</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Light</source>
            <translation>浅色</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Local API…</source>
            <translation>本地 API…</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Model settings</source>
            <translation>模型设置</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Models…</source>
            <translation>模型…</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>New conversation</source>
            <translation>新对话</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>New matter…</source>
            <translation>新事项…</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Next pane</source>
            <translation>下一个窗格</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Next quote of the answer</source>
            <translation>回答的下一条引文</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Previous pane</source>
            <translation>上一个窗格</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Previous quote of the answer</source>
            <translation>回答的上一条引文</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Put the chosen documents into a matter…</source>
            <translation>将所选文档放入事项…</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Quit</source>
            <translation>退出</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Read the new version of the chosen document</source>
            <translation>读取所选文档的新版本</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Remove all documents from this question</source>
            <translation>从此问题中移除所有文档</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Show what changed in the chosen document</source>
            <translation>显示所选文档的改动</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Source</source>
            <translation>原文</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Stop the answer</source>
            <translation>停止回答</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Undo</source>
            <translation>撤销</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>What leaves this computer</source>
            <translation>离开这台电脑的内容</translation>
        </message>
        <message>
            <location filename="../../app/views/menus.py" />
            <source>Write the answer again</source>
            <translation>重新生成回答</translation>
        </message>
    </context>
    <context>
        <name>places</name>
        <message>
            <location filename="../../app/models/places.py" />
            <source>cell {label}</source>
            <translation>单元格 {label}</translation>
        </message>
        <message>
            <location filename="../../app/models/places.py" />
            <source>cells {first} to {last}</source>
            <translation>单元格 {first} 至 {last}</translation>
        </message>
        <message>
            <location filename="../../app/models/places.py" />
            <source>characters {first} to {last}</source>
            <translation>字符 {first} 至 {last}</translation>
        </message>
        <message>
            <location filename="../../app/models/places.py" />
            <source>file {label}</source>
            <translation>文件 {label}</translation>
        </message>
        <message>
            <location filename="../../app/models/places.py" />
            <source>files {first} to {last}</source>
            <translation>文件 {first} 至 {last}</translation>
        </message>
        <message>
            <location filename="../../app/models/places.py" />
            <source>message {label}</source>
            <translation>邮件 {label}</translation>
        </message>
        <message>
            <location filename="../../app/models/places.py" />
            <source>messages {first} to {last}</source>
            <translation>邮件 {first} 至 {last}</translation>
        </message>
        <message>
            <location filename="../../app/models/places.py" />
            <source>p. {label}</source>
            <translation>第 {label} 页</translation>
        </message>
        <message>
            <location filename="../../app/models/places.py" />
            <source>page {label}</source>
            <translation>第 {label} 页</translation>
        </message>
        <message>
            <location filename="../../app/models/places.py" />
            <source>pages {first} to {last}</source>
            <translation>第 {first} 至 {last} 页</translation>
        </message>
        <message>
            <location filename="../../app/models/places.py" />
            <source>pp. {first}–{last}</source>
            <translation>第 {first}–{last} 页</translation>
        </message>
        <message>
            <location filename="../../app/models/places.py" />
            <source>pp. {labels}</source>
            <translation>第 {labels} 页</translation>
        </message>
        <message>
            <location filename="../../app/models/places.py" />
            <source>section {label}</source>
            <translation>“{label}”一节</translation>
        </message>
        <message>
            <location filename="../../app/models/places.py" />
            <source>sections {first} to {last}</source>
            <translation>“{first}”至“{last}”各节</translation>
        </message>
        <message>
            <location filename="../../app/models/places.py" />
            <source>sheet {label}</source>
            <translation>工作表 {label}</translation>
        </message>
        <message>
            <location filename="../../app/models/places.py" />
            <source>sheets {first} to {last}</source>
            <translation>工作表 {first} 至 {last}</translation>
        </message>
        <message>
            <location filename="../../app/models/places.py" />
            <source>slide {label}</source>
            <translation>幻灯片 {label}</translation>
        </message>
        <message>
            <location filename="../../app/models/places.py" />
            <source>slides {first} to {last}</source>
            <translation>幻灯片 {first} 至 {last}</translation>
        </message>
        <message>
            <location filename="../../app/models/places.py" />
            <source>{file}, {place}</source>
            <translation>{file}，{place}</translation>
        </message>
        <message>
            <location filename="../../app/models/places.py" />
            <source>{label}, at {n}</source>
            <translation>{label}，字符 {n}</translation>
        </message>
        <message>
            <location filename="../../app/models/places.py" />
            <source>{sheet}, row {n}</source>
            <translation>{sheet}，第 {n} 行</translation>
        </message>
    </context>
    <context>
        <name>quantities</name>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>1 cell</source>
            <translation>1 个单元格</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>1 document</source>
            <translation>1 个文档</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>1 file</source>
            <translation>1 个文件</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>1 message</source>
            <translation>1 封邮件</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>1 page</source>
            <translation>1 页</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>1 section</source>
            <translation>1 节</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>1 sheet</source>
            <translation>1 张工作表</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>1 slide</source>
            <translation>1 张幻灯片</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>1 token</source>
            <translation>1 个词元</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>{h} h</source>
            <translation>{h} 小时</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>{h} h {m} min</source>
            <translation>{h} 小时 {m} 分</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>{m} min</source>
            <translation>{m} 分钟</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>{m} min {s} s</source>
            <translation>{m} 分 {s} 秒</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>{n} %</source>
            <translation>{n}%</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>{n} cells</source>
            <translation>{n} 个单元格</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>{n} documents</source>
            <translation>{n} 个文档</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>{n} files</source>
            <translation>{n} 个文件</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>{n} messages</source>
            <translation>{n} 封邮件</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>{n} pages</source>
            <translation>{n} 页</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>{n} s</source>
            <translation>{n} 秒</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>{n} sections</source>
            <translation>{n} 节</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>{n} sheets</source>
            <translation>{n} 张工作表</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>{n} slides</source>
            <translation>{n} 张幻灯片</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>{n} tok/s</source>
            <translation>{n} 词元/秒</translation>
        </message>
        <message>
            <location filename="../../app/models/quantities.py" />
            <source>{n} tokens</source>
            <translation>{n} 个词元</translation>
        </message>
    </context>
    <context>
        <name>quote_words</name>
        <message>
            <location filename="../../app/models/quote_words.py" />
            <source>It is not known which one is meant, so none is shown as the one.</source>
            <translation>无法确定指的是哪一处，因此不把其中任何一处当作出处显示。</translation>
        </message>
        <message>
            <location filename="../../app/models/quote_words.py" />
            <source>Neither these words nor nearly these stand in a document that the answer had.</source>
            <translation>回答所用的文档中没有这些文字，也没有相近的文字。</translation>
        </message>
        <message>
            <location filename="../../app/models/quote_words.py" />
            <source>Not found in the documents</source>
            <translation>在文档中未找到</translation>
        </message>
        <message>
            <location filename="../../app/models/quote_words.py" />
            <source>Quoted letter for letter</source>
            <translation>逐字引用</translation>
        </message>
        <message>
            <location filename="../../app/models/quote_words.py" />
            <source>Quoted with a difference</source>
            <translation>引用有出入</translation>
        </message>
        <message>
            <location filename="../../app/models/quote_words.py" />
            <source>Quotes: {exact} ✓ {close} ≈ {missing} ✗</source>
            <translation>引文：{exact} ✓ {close} ≈ {missing} ✗</translation>
        </message>
        <message>
            <location filename="../../app/models/quote_words.py" />
            <source>Stands in the text</source>
            <translation>见于文本</translation>
        </message>
        <message>
            <location filename="../../app/models/quote_words.py" />
            <source>Stands in the text in another form</source>
            <translation>以另一种形式见于文本</translation>
        </message>
        <message>
            <location filename="../../app/models/quote_words.py" />
            <source>Stands in the text, and is too short to be a quotation</source>
            <translation>见于文本，但太短，不足以作为引文</translation>
        </message>
        <message>
            <location filename="../../app/models/quote_words.py" />
            <source>Stands in {n} places</source>
            <translation>见于 {n} 处</translation>
        </message>
        <message>
            <location filename="../../app/models/quote_words.py" />
            <source>The document's words, with what it has underlined and what it has not struck out:</source>
            <translation>文档原文如下：文档中有的加下划线，文档中没有的加删除线：</translation>
        </message>
        <message>
            <location filename="../../app/models/quote_words.py" />
            <source>the document says: {words}</source>
            <translation>文档原文：{words}</translation>
        </message>
        <message>
            <location filename="../../app/models/quote_words.py" />
            <source>{n} in several places</source>
            <translation>{n} 条见于多处</translation>
        </message>
        <message>
            <location filename="../../app/models/quote_words.py" />
            <source>{n} places</source>
            <translation>{n} 处</translation>
        </message>
    </context>
    <context>
        <name>reading_words</name>
        <message>
            <location filename="../../app/models/reading_words.py" />
            <source>reading {percent}</source>
            <translation>正在阅读 {percent}</translation>
        </message>
        <message>
            <location filename="../../app/models/reading_words.py" />
            <source>{time} left</source>
            <translation>剩余 {time}</translation>
        </message>
    </context>
    <context>
        <name>readings</name>
        <message>
            <location filename="../../app/models/readings.py" />
            <source>in memory</source>
            <translation>在内存中</translation>
        </message>
        <message>
            <location filename="../../app/models/readings.py" />
            <source>in memory · {size} on disk</source>
            <translation>在内存中 · 磁盘上 {size}</translation>
        </message>
        <message>
            <location filename="../../app/models/readings.py" />
            <source>not read</source>
            <translation>未读</translation>
        </message>
        <message>
            <location filename="../../app/models/readings.py" />
            <source>not read by this model · {size}</source>
            <translation>此模型未读 · {size}</translation>
        </message>
        <message>
            <location filename="../../app/models/readings.py" />
            <source>read · {size} on disk</source>
            <translation>已读 · 磁盘上 {size}</translation>
        </message>
        <message>
            <location filename="../../app/models/readings.py" />
            <source>read, opens at once · {size}</source>
            <translation>已读，立即打开 · {size}</translation>
        </message>
        <message>
            <location filename="../../app/models/readings.py" />
            <source>read, opens in {time} · {size}</source>
            <translation>已读，打开需 {time} · {size}</translation>
        </message>
    </context>
    <context>
        <name>references</name>
        <message>
            <location filename="../../app/models/references.py" />
            <source>p. {label}</source>
            <translation>第 {label} 页</translation>
        </message>
    </context>
    <context>
        <name>segment_words</name>
        <message>
            <location filename="../../app/models/segment_words.py" />
            <source>Segment {n}</source>
            <translation>第 {n} 段</translation>
        </message>
        <message>
            <location filename="../../app/models/segment_words.py" />
            <source>This answer was written over segment {numbers} ({where})</source>
            <translation>此回答依据第 {numbers} 段生成（{where}）</translation>
        </message>
        <message>
            <location filename="../../app/models/segment_words.py" />
            <source>This answer was written over segments {numbers} ({where})</source>
            <translation>此回答依据第 {numbers} 段生成（{where}）</translation>
        </message>
        <message>
            <location filename="../../app/models/segment_words.py" />
            <source>kept</source>
            <translation>已采用</translation>
        </message>
        <message>
            <location filename="../../app/models/segment_words.py" />
            <source>kept, {rows} of its rows</source>
            <translation>已采用其中 {rows} 行</translation>
        </message>
        <message>
            <location filename="../../app/models/segment_words.py" />
            <source>not asked</source>
            <translation>未提问</translation>
        </message>
        <message>
            <location filename="../../app/models/segment_words.py" />
            <source>{n} nats</source>
            <translation>{n} nat</translation>
        </message>
        <message>
            <location filename="../../app/models/segment_words.py" />
            <source>{segments} and {n} more</source>
            <translation>{segments} 及另外 {n}</translation>
        </message>
    </context>
    <context>
        <name>waiting_words</name>
        <message>
            <location filename="../../app/models/waiting_words.py" />
            <source>Asking {done} of {total} segments</source>
            <translation>正在对各段提问：{done} / {total}</translation>
        </message>
        <message>
            <location filename="../../app/models/waiting_words.py" />
            <source>Counting the tokens</source>
            <translation>正在计数词元</translation>
        </message>
        <message>
            <location filename="../../app/models/waiting_words.py" />
            <source>Going over part {done} of {total}</source>
            <translation>正在查看第 {done} 部分，共 {total} 部分</translation>
        </message>
        <message>
            <location filename="../../app/models/waiting_words.py" />
            <source>Reading what is new</source>
            <translation>正在阅读新内容</translation>
        </message>
        <message>
            <location filename="../../app/models/waiting_words.py" />
            <source>Sent; waits for the server's first word</source>
            <translation>已发送；等待服务器的第一个词</translation>
        </message>
        <message>
            <location filename="../../app/models/waiting_words.py" />
            <source>Waits for the answer in another conversation</source>
            <translation>正在等待另一个对话中的回答</translation>
        </message>
        <message>
            <location filename="../../app/models/waiting_words.py" />
            <source>Waits until the documents are read</source>
            <translation>正在等待文档读完</translation>
        </message>
        <message>
            <location filename="../../app/models/waiting_words.py" />
            <source>Waits until the model is loaded</source>
            <translation>正在等待模型加载完毕</translation>
        </message>
    </context>
    <context>
        <name>words</name>
        <message>
            <location filename="../../app/words.py" />
            <source>A daily limit is at least 1 token. Leave it out for a key without one.</source>
            <translation>每日上限至少为 1 个词元。不设上限则不填。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>A document of this conversation was deleted for good; the answer was written without it.</source>
            <translation>此对话中的一个文档已被永久删除；回答是在没有它的情况下生成的。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>A key needs a name, such as the program's that will use it.</source>
            <translation>密钥需要名称，例如将使用它的程序的名称。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>A matter needs a name.</source>
            <translation>事项需要一个名称。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>A model whose attention slides over the text cannot be stretched: its window stays {native}.</source>
            <translation>注意力在文本上滑动的模型不能拉伸：窗口保持 {native} 个词元。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>A number near the beginning, at each quarter and in the last line. Which one is missing tells what was cut.</source>
            <translation>开头附近、每个四分之一处和最后一行各有一个数。缺了哪个，就知道截掉了哪里。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>A number of one conversation was told in the other, {leaked} times.</source>
            <translation>一个对话的数在另一个对话中说出了 {leaked} 次。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>A number of this run alone, planted in a long text, is asked for.</source>
            <translation>询问一个只属于本次运行、埋在长文本中的数。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>A policy forgets parts of a text that is read whole; in segments, or with every part asked, it has nothing to choose. Nothing was read. Ask without it, or have the text read whole.</source>
            <translation>策略只会遗忘整体阅读的文本中的部分内容；分段阅读或逐部分提问时，它无可选择。未读取任何内容。请不使用策略提问，或让文本整体阅读。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>A policy that forgets keeps as much as it promised, and no more.</source>
            <translation>会遗忘的策略保留它所承诺的那么多，不多也不少。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>A row of digits is said forwards and in reverse, as long a one as the model masters in a short text.</source>
            <translation>顺着和倒着复述一串数字，长度以模型在短文本中能做到的为准。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>A saved reading is as good as a fresh one</source>
            <translation>保存的阅读与新读的一样好</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>A second question</source>
            <translation>第二个问题</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>A selection can be looked at in a text that is read whole; this one would be read in segments, each of them in full. Nothing was read. Ask without a selection, or read the text whole in a larger context window.</source>
            <translation>只有整篇读取的文本才能只看选出的部分；这篇文本会分段读取，而每一段都会完整读取。什么都没有读。请不用选择再提问，或在更大的上下文窗口中整篇读取。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>A selection is on, and every row was looked at.</source>
            <translation>选取已开启，却查看了每一行。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>A selection looks at rows of all that is kept, and a policy forgets some of them: one question cannot have both. Nothing was read. Ask without the selection, or without the policy.</source>
            <translation>选择只看全部保留内容中的一部分，而策略会遗忘其中一些：同一次提问不能两者并用。未读取任何内容。请去掉选择，或去掉策略，再提问。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>A server tells nothing of this; it can be seen on this computer alone.</source>
            <translation>服务器不告知这一点；只有在这台电脑上才能看到。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>A window of {window} tokens would fit.</source>
            <translation>{window} 个词元的窗口放得下。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>About {counted} tokens by its letters; the server says that it read {said}.</source>
            <translation>按字母估计约 {counted} 个词元；服务器称读了 {said} 个。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>Added from this computer.</source>
            <translation>从这台电脑添加。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>After five long texts, and two that were stopped (in reading, in writing), memory is where it was.</source>
            <translation>读过五篇长文本，又有两篇在阅读和书写中被停止之后，内存回到原处。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>All five are there. Among the others the model missed some, and found them when they stood alone.</source>
            <translation>五个都在。混在一起时模型漏了几个，单独出现时都找到了。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>An earlier value was given {stale} times: the later one is lost, or not seen as later.</source>
            <translation>有 {stale} 次给出了较早的值：较晚的值丢失了，或没有被看作较晚。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>Another Longread ({subject}) runs with the same data folder and holds the model in memory. Its local API is off, so it cannot be asked from here. Ask in its window, switch its local API on, close it, or set LONGREAD_HOME to another folder.</source>
            <translation>另一个 Longread（{subject}）正使用同一数据文件夹并把模型保留在内存中。它的本地 API 未打开，因此无法从这里提问。请在它的窗口中提问、打开它的本地 API、关闭它，或把 LONGREAD_HOME 设为另一个文件夹。</translation>
        </message>
        <message>
            <location filename="../../app/runtime_words.py" />
            <source>Another Longread is downloading or installing a pack for the graphics card. Nothing was changed; try again when it has ended.</source>
            <translation>另一个 Longread 正在下载或安装显卡运行包。什么都没有改变；请等它结束后再试。</translation>
        </message>
        <message>
            <location filename="../../app/runtime_words.py" />
            <source>Another Longread is installing a runtime. Nothing was changed; try again when it has ended.</source>
            <translation>另一个 Longread 正在安装运行环境。未作任何更改；请待其结束后重试。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>Another Longread is running with the same data folder and holds the model in memory. Ask in its window, close it, or set LONGREAD_HOME to another folder.</source>
            <translation>另一个 Longread 正在使用同一数据文件夹，并已将模型载入内存。请在它的窗口中提问，或关闭它，或将 LONGREAD_HOME 设为其他文件夹。</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>Answer</source>
            <translation>回答</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>Answered from what had been read by then, as you asked; the rest was not read.</source>
            <translation>按您的要求，根据当时已读的内容回答；其余部分未读。</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>Anthropic's protocol was answered with {status}: {said}</source>
            <translation>Anthropic 协议的请求得到 {status}：{said}</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>Anthropic's protocol was not answered ({why}). Check again.</source>
            <translation>Anthropic 协议的请求没有得到回答（{why}）。请再检查一次。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>As many tokens are read as the text has, by a count of our own.</source>
            <translation>按我们自己的计数，读入的词元与文本一样多。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>As you chose, the question was put to {asked} of {segments} segments, by a first look. What stands in the others alone was not seen.</source>
            <translation>按您的选择，经初看后只对 {segments} 段中的 {asked} 段提问。只在其余段中出现的内容没有被看到。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Asked anew, {differs} second questions are answered in other words.</source>
            <translation>重新询问时，{differs} 个第二问题的回答措辞不同。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Asked at the same time about two texts, neither answer holds the other's number.</source>
            <translation>同时询问两段文本，任一回答都不含另一段的数。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>At least {needed} tokens must be kept here, and {available} may be: the first and the newest always stay. Nothing was read. Keep more.</source>
            <translation>此处至少须保留 {needed} 个词元，而允许保留的只有 {available} 个：最前面的和最新的始终保留。未读取任何内容。请保留更多。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>Attention cannot be computed as it was chosen: {message}. The model was not loaded. Choose one of those, or auto.</source>
            <translation>无法按所选的方式计算注意力：{message}。模型没有加载。请选择其中之一，或选择自动。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>Blocks are forgotten by how a model chooses them, and this one chooses none. Nothing was read. Choose another policy, or keep everything.</source>
            <translation>块按模型选择它们的情况来遗忘，而该模型不选择块。未读取任何内容。请选择其他策略，或保留全部。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Calls within calls each set a value; after they return, the first one holds.</source>
            <translation>层层调用各设一个值；全部返回之后，最初的值有效。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Certificate of a long window</source>
            <translation>长窗口证书</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>Complete.</source>
            <translation>完整。</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>Conversation</source>
            <translation>对话</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>DEGRADED</source>
            <translation>有所下降</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Date</source>
            <translation>日期</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Digits are missing, the first at place {first}: rows of the text are lost ({kept} left).</source>
            <translation>缺少数字，第一个在位置 {first}：文本的一些行丢失了（剩 {kept}）。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Digits said again</source>
            <translation>复述数字</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>Documents</source>
            <translation>文档</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Eight counts are told anew twenty times each, fewer of a small model; the last of each is asked for.</source>
            <translation>八个数目各更新二十次（小模型则少些），问每个的最后一次。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>Ended at a stop word.</source>
            <translation>在停止词处结束。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>Ended early: the answer had begun to repeat itself.</source>
            <translation>提前结束：回答开始重复自身。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>Ended early: the longest answer that was allowed, or the end of the window.</source>
            <translation>提前结束：达到允许的最长回答，或窗口已到末尾。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Every layer of the model ran, and as the kind that it is.</source>
            <translation>模型的每一层都运行了，且按其自身的种类。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>Every part of a text can be asked by a model of this computer alone; {subject} is asked once over all of it. Nothing was sent. Ask without it, or choose a local model.</source>
            <translation>只有这台电脑的模型才能逐部分提问；{subject} 只会就全文被问一次。没有发送任何内容。请不用此功能提问，或选择这台电脑模型。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Every token counted</source>
            <translation>每个词元都计数</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>Exported by Longread {version} on {date}. “longread verify-export” checks this file and its JSON twin against the documents.</source>
            <translation>由 Longread {version} 于 {date} 导出。“longread verify-export”可对照文档核对此文件及其配套的 JSON 文件。</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>Extent</source>
            <translation>篇幅</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>FAIL</source>
            <translation>失败</translation>
        </message>
        <message>
            <location filename="../../app/runtime_words.py" />
            <source>Files of {subject} are in use. Close Longread everywhere and try again.</source>
            <translation>{subject} 的文件正在使用。请关闭所有 Longread 后重试。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>Finds facts and quotes them; it does not reason, and summaries are rough.</source>
            <translation>能查找并引用事实；不会推理，摘要较粗略。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>Finds facts, quotes and summarises; it reasons a little.</source>
            <translation>能查找事实、引用和概括；稍会推理。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>First about the text's beginning, then, in the same conversation, about its end.</source>
            <translation>先问文本的开头，然后在同一对话中问结尾。</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>For Continue's config.yaml, among its models.</source>
            <translation>用于 Continue 的 config.yaml，放在其 models 之中。</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>Forgotten</source>
            <translation>遗忘</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Found at every depth</source>
            <translation>各个深度都找得到</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Full: hours, 131,072 tokens</source>
            <translation>完整：数小时，131,072 个词元</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>HF_HUB_OFFLINE is set, so nothing is downloaded from the hub. Unset it and try again.</source>
            <translation>已设置 HF_HUB_OFFLINE，因此不会从模型库下载任何内容。请取消该设置后重试。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>How a text is read and what of it is kept is decided by {subject} and cannot be chosen from here. Nothing was sent. Ask without segments, a selection or a policy, or choose a local model.</source>
            <translation>如何阅读文本、保留哪些部分由 {subject} 决定，无法在此选择。没有发送任何内容。请不用分段、选取或策略提问，或选择这台电脑模型。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>INACTIVE</source>
            <translation>未生效</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>In the document: “{passage}”</source>
            <translation>文档原文：“{passage}”</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>It does not say how much it read, or with what.</source>
            <translation>它没有说明读了多少，或用什么读的。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>It says that {said} tokens were read, and {expected} are sent: what is missing was cut.</source>
            <translation>它称读了 {said} 个词元，而发送了 {expected} 个：缺少的被截掉了。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>It was refused ({code}), so nothing was shown.</source>
            <translation>请求被拒绝（{code}），因此什么也没有证明。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Its SHA-256</source>
            <translation>其 SHA-256</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Layers that should be linear or sparse were computed as dense ones.</source>
            <translation>本应线性或稀疏的层被按稠密层计算了。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>List every one</source>
            <translation>逐一列出</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Longest text, tokens</source>
            <translation>最长文本（词元）</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>Longread cannot write in {subject}: {message}. Check the permissions of that folder.</source>
            <translation>Longread 无法写入 {subject}：{message}。请检查该文件夹的权限。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Machine</source>
            <translation>机器</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>Made for texts of half a million tokens and more, on a graphics card; reads every text whole.</source>
            <translation>为五十万词元及更长的文本而设计，在显卡上运行；完整读取每份文本。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Memory comes back</source>
            <translation>内存归还</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Memory grows: {process} MB more in the end, {slope} MB with each text; {held} MB of rows are held.</source>
            <translation>内存在增长：最后多出 {process} MB，每段文本 {slope} MB；仍占有 {held} MB 的行。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Missed here and there: {kept} of what the short text gave is left.</source>
            <translation>零散遗漏：与短文本相比剩 {kept}。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Missed in the middle alone: pieces or rows of it are lost ({kept} left).</source>
            <translation>只在中间遗漏：其片段或行丢失了（剩 {kept}）。</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <location filename="../../app/verify_words.py" />
            <source>Model</source>
            <translation>模型</translation>
        </message>
        <message>
            <location filename="../../app/runtime_words.py" />
            <source>NVIDIA's driver here is {available}, and this pack needs {needed} or newer. Nothing was changed; update the driver and install the pack again.</source>
            <translation>本机的 NVIDIA 驱动程序为 {available}，此运行包需要 {needed} 或更新版本。未作任何更改；请更新驱动程序后再安装运行包。</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>Name</source>
            <translation>名称</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Never found at some depth: a border between pieces is lost ({kept} left).</source>
            <translation>在某个深度从未找到：片段的交界处丢失了（剩 {kept}）。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Never found at the end: the tail is cut, or the question's border is off.</source>
            <translation>在结尾从未找到：尾部被截掉，或问题的边界有误。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Never found in the first line: the front is cut, or its rows are lost.</source>
            <translation>在第一行从未找到：开头被截掉，或其行丢失了。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>No NVIDIA graphics card was found, so the model runs on the processor.</source>
            <translation>未找到 NVIDIA 显卡，因此模型在处理器上运行。</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>No key was given to try. Paste one above, or make a new one.</source>
            <translation>没有可试的密钥。请在上面粘贴一个，或新建一个。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>No policy is on: everything is kept.</source>
            <translation>没有开启策略：全部保留。</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>No proxy variables are set.</source>
            <translation>未设置代理变量。</translation>
        </message>
        <message>
            <location filename="../../app/runtime_words.py" />
            <source>No runtime {subject} is installed. See: longread runtime list</source>
            <translation>没有安装运行环境 {subject}。请查看：longread runtime list</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>Notes</source>
            <translation>注释</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Nothing cut off</source>
            <translation>没有截断</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>Nothing in the library is called {subject}, comes from there or has that id. See: longread library list</source>
            <translation>资料库中没有名称、来源或 ID 为 {subject} 的内容。请查看：longread library list</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Nothing is found from some length on ({kept} left).</source>
            <translation>从某个长度起什么也找不到（剩 {kept}）。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Nothing is saved of a text that is partly forgotten.</source>
            <translation>部分被遗忘的文本不会保存。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Nothing of the text arrived, or the question did not.</source>
            <translation>文本完全没有到达，或问题没有到达。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>Nothing was sent yet: documents go to a server together with a question.</source>
            <translation>尚未发送任何内容：文档会与问题一起发往服务器。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Numbers all over a text must all be listed when every part is asked.</source>
            <translation>逐段询问时，遍布文本的数必须全部列出。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Numbers of other sentences were given: {kept} is left.</source>
            <translation>给出了其他句子的数：剩 {kept}。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>Of what was kept on disk {segments} segments were damaged; they were read again, and nothing is lost.</source>
            <translation>磁盘上保存的内容中有 {segments} 段已损坏；已重新阅读，没有丢失任何内容。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Of {said} tokens {unread} were not read.</source>
            <translation>{said} 个词元中有 {unread} 个没有读。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>On this computer int4 saves memory, not time: bf16 writes at least as fast.</source>
            <translation>在这台电脑上，int4 节省的是内存而非时间：bf16 的生成速度至少一样快。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>On this computer int8 saves memory, not time: bf16 writes at least as fast.</source>
            <translation>在这台电脑上，int8 节省的是内存而非时间：bf16 的生成速度至少一样快。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>One among nine alike</source>
            <translation>九个相似中的一个</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>PASS</source>
            <translation>通过</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Parts of the text are missing in several places.</source>
            <translation>文本有多处缺失。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Precision</source>
            <translation>精度</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>Python, with OpenAI's client. A long document may be read for minutes before the first word, so its time-out is an hour and it asks once.</source>
            <translation>Python，使用 OpenAI 的客户端。长文档可能要读上几分钟才有第一个字，所以超时为一小时，并且只问一次。</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>Question</source>
            <translation>问题</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Quick: minutes, 4,096 tokens</source>
            <translation>快速：数分钟，4,096 个词元</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>Quotes and figures checked: {exact} ✓ exact, {close} ≈ close, {missing} ✗ not found, {ambiguous} unclear</source>
            <translation>已核对引文和数字：{exact} ✓ 一致，{close} ≈ 相近，{missing} ✗ 未找到，{ambiguous} 不明确</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>Read.</source>
            <translation>已读。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Results</source>
            <translation>结果</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Right to a depth of {deepest}, in a short text to {short}. Depth: right, rows forgotten: {steps}.</source>
            <translation>正确到第 {deepest} 层，短文本中到第 {short} 层。层：正确，遗忘的行：{steps}。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>Runs on another computer: questions and documents are sent to it.</source>
            <translation>在另一台电脑上运行：问题和文档会发送给它。</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>SHA-256 of its text</source>
            <translation>文本的 SHA-256</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>SHA-256 of the file</source>
            <translation>文件的 SHA-256</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>SKIPPED</source>
            <translation>已跳过</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Seconds</source>
            <translation>秒</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Seed</source>
            <translation>种子</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>Settings</source>
            <translation>设置</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Settings of reading</source>
            <translation>阅读设置</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Slope {slope}; the arithmetic ({shape}) says {expected}. Writing: {writing} tok/s.</source>
            <translation>斜率 {slope}；计算量（{shape}）应为 {expected}。书写：{writing} 词元/秒。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>SnapKV chooses by the question at the end, so a prompt cannot be forgotten piece by piece. Nothing was read. Let it forget at the prompt's end, or choose another policy.</source>
            <translation>SnapKV 依据末尾的问题进行选择，因此无法逐段遗忘提示。未读取任何内容。请让它在提示末尾遗忘，或选择其他策略。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Some were not listed: {kept} of what the short text gave is left.</source>
            <translation>有些未列出：与短文本相比剩 {kept}。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>Something went wrong in the engine: {message}. Your words are kept; ask again, or restart Longread.</source>
            <translation>引擎出现问题：{message}。您的文字都已保留；请再次提问，或重新启动 Longread。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Standard: half an hour, 32,768 tokens</source>
            <translation>标准：半小时，32,768 个词元</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>State after nested calls</source>
            <translation>嵌套调用后的状态</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>Stopped by you; what was written is kept.</source>
            <translation>由您停止；已生成的内容会保留。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>Summarises, compares and reasons over long texts.</source>
            <translation>能对长文本进行概括、比较和推理。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Test</source>
            <translation>测试</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Text</source>
            <translation>文本</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>The answer ended with a failure ({code}).</source>
            <translation>回答以失败结束（{code}）。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The answer from the saved reading is another one.</source>
            <translation>由保存的阅读得出的回答不同。</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>The answer was stopped before its end.</source>
            <translation>回答在结束前被停止。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The beginning of the text is missing: it was cut from the front.</source>
            <translation>文本的开头缺失：从前面被截掉了。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>The certificate of {subject} is vouched for by nobody that this computer trusts, or is for another name. Nothing was sent. Have it trusted by this system (or name it in SSL_CERT_FILE), or correct the address.</source>
            <translation>{subject} 的证书没有这台电脑信任的机构担保，或属于另一个名称。没有发送任何内容。请让系统信任它（或写入 SSL_CERT_FILE），或更正地址。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The computer ran out of memory: {needed} were needed and {available} are free. What was read is kept where it could be. Choose a smaller context window or a smaller precision, or close other programs.</source>
            <translation>内存不足：需要 {needed}，可用 {available}。已读的内容已尽可能保留。请选择更小的上下文窗口或更低的精度，或关闭其他程序。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The connection to {subject} broke off several times. What has come so far is kept, and the next try goes on from there.</source>
            <translation>与 {subject} 的连接多次中断。已收到的部分会保留，下次尝试将从那里继续。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>The conversation has grown long and left room for {kept} segments only. A new conversation sees more of the text.</source>
            <translation>对话已变得很长，只留出 {kept} 段的空间。新对话能看到更多文本。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The disk that holds {subject} is full. What could not be kept is still here. Make room and try again.</source>
            <translation>{subject} 所在的磁盘已满。未能保存的内容仍在此处。请腾出空间后重试。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The end of the text is missing: it was cut off.</source>
            <translation>文本的结尾缺失：被截掉了。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The engine belongs to the Longread that runs as process {subject}. Nothing was asked.</source>
            <translation>引擎属于以进程 {subject} 运行的 Longread。没有提问。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The engine stopped several times and stays down. Your words are kept. What it said last is in {subject}; choose a smaller model or window, then try again.</source>
            <translation>引擎多次停止，不再重新启动。您的文字都已保留。它最后的输出在 {subject} 中；请选择更小的模型或窗口，然后重试。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The engine stopped unexpectedly. Your words are kept, and what was written so far; ask again.</source>
            <translation>引擎意外停止。您的文字和已写出的内容都已保留；请再次提问。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The engine told nothing of its memory.</source>
            <translation>引擎没有告知其内存。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The file {subject} is damaged and was left as it is. Your documents are not touched. Put a copy from a backup in its place, or move it away to begin anew.</source>
            <translation>文件 {subject} 已损坏，未作改动。您的文档没有受影响。请用备份替换它，或将其移走以重新开始。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The file {subject} is in use by another program for longer than usual. Nothing was lost; try again in a moment.</source>
            <translation>文件 {subject} 被另一个程序占用的时间比平常更长。没有丢失任何内容；请稍后重试。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The file {subject} was made by a newer Longread. It was left as it is. Install the newer version again, or set LONGREAD_HOME to another folder.</source>
            <translation>文件 {subject} 由更新版本的 Longread 创建，未作改动。请重新安装更新的版本，或将 LONGREAD_HOME 设为其他文件夹。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The first line says one number, the last line corrects it.</source>
            <translation>第一行说一个数，最后一行更正它。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The kept text of {subject} is missing or has changed. Add the document again.</source>
            <translation>{subject} 的保存文本缺失或已改变。请重新添加该文档。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>The key for {subject} holds a line break, as when it is read from a file. Nothing was sent. Put it in again without it.</source>
            <translation>{subject} 的密钥含有换行，例如从文件读入时。没有发送任何内容。请去掉换行后重新输入。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>The key for {subject} holds a space or a tab. Nothing was sent. Put it in again without it.</source>
            <translation>{subject} 的密钥含有空格或制表符。没有发送任何内容。请去掉后重新输入。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>The key for {subject} holds signs that no key has. Nothing was sent. Copy it again from where it was made.</source>
            <translation>{subject} 的密钥含有密钥中不会出现的字符。没有发送任何内容。请从生成它的地方重新复制。</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>The key is accepted. Models that it may ask: {models}.</source>
            <translation>密钥有效。可以使用的模型：{models}。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>The key of {name} is in the variable {subject}, which is not set. Nothing was sent. Set it and start again.</source>
            <translation>{name} 的密钥在变量 {subject} 中，而该变量未设置。没有发送任何内容。请设置后重新启动。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The key {subject} is in force. Revoke it before it is forgotten.</source>
            <translation>密钥 {subject} 仍然有效。请先吊销再删除。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The last word counts</source>
            <translation>以最后为准</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The layers that ran</source>
            <translation>运行的层</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The layers that ran are not those that the model has.</source>
            <translation>运行的层不是模型所有的层。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>The list of servers in {subject} cannot be read and was left as it is. Correct it, or move it away and add them anew.</source>
            <translation>{subject} 中的服务器列表无法读取，已原样保留。请更正它，或将其移走后重新添加。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>The list of servers in {subject} was made by a newer Longread and was left as it is.</source>
            <translation>{subject} 中的服务器列表由较新的 Longread 生成，已原样保留。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The local API cannot be served at {subject} ({message}). Choose an address of this computer and a port above 1023.</source>
            <translation>无法在 {subject} 提供本地 API（{message}）。请选择这台电脑的地址和 1023 以上的端口。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The local API cannot be served at {subject}: another program listens there. Choose another port, or close that program.</source>
            <translation>无法在 {subject} 提供本地 API：另一个程序正在那里监听。请选择其他端口，或关闭那个程序。</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>The local API is off, so nothing answers. Switch it on and check again.</source>
            <translation>本地 API 已关闭，因此没有响应。请开启后再检查。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The local API stopped unexpectedly, and no program can ask. Switch it on again.</source>
            <translation>本地 API 意外停止，程序无法提问。请重新开启。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The local API was not started: {subject} is no certificate or key that can be used. Both are PEM files, and both are needed.</source>
            <translation>本地 API 未启动：{subject} 不是可用的证书或私钥。两者都是 PEM 文件，缺一不可。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The matter {subject} holds no documents. Nothing was asked; put documents into it first.</source>
            <translation>事项 {subject} 中没有文档。没有提出任何问题；请先向其中放入文档。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>The memory that is free holds a window of {window} tokens; the model was made for {native}.</source>
            <translation>可用内存可容纳 {window} 个词元的窗口；该模型支持 {native} 个。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The middle of the text is missing: it was cut out.</source>
            <translation>文本的中间缺失：被截掉了。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The model cannot do this in a short text either, so the long one proves nothing. A larger model can.</source>
            <translation>模型在短文本中也做不到，因此长文本证明不了什么。更大的模型可以。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The model has {has}. Ran: {ran}.</source>
            <translation>模型有 {has}。运行了：{ran}。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>The model is stored in fp16, which is slow on a processor; it runs in {precision}.</source>
            <translation>模型以 fp16 存储，在处理器上很慢；现以 {precision} 运行。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>The model thought before it answered; its thoughts are not part of the answer.</source>
            <translation>模型在作答前进行了思考；思考内容不是回答的一部分。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>The model was made for {native} tokens and is stretched {factor} times, to {window} ({method}). Its answers are less good than usual, about short texts too.</source>
            <translation>该模型支持 {native} 个词元，已拉伸到 {factor} 倍，即 {window} 个（{method}）。其回答不如平常，对短文本也是如此。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>The model was trained on {native} tokens; of its kind it is known that they read on to {window} with little loss.</source>
            <translation>该模型是在 {native} 个词元上训练的；已知同类模型读到 {window} 时损失很小。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>The model's file has weights of 4 bits, and int8 keeps them: rounded again they would lose and take more.</source>
            <translation>模型文件中的权重为 4 位，int8 会保留原样：再次取整会损失精度并占用更多内存。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The name of a key may have {count} characters at most.</source>
            <translation>密钥名称最多 {count} 个字符。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The name of a matter may have {count} characters at most.</source>
            <translation>事项的名称最多 {count} 个字符。</translation>
        </message>
        <message>
            <location filename="../../app/runtime_words.py" />
            <source>The pack {subject} holds torch {made}, and this Longread was checked with {needed}. Get the pack for this version of Longread.</source>
            <translation>运行包 {subject} 含有 torch {made}，而此 Longread 是用 {needed} 检验的。请获取适用于此版本 Longread 的运行包。</translation>
        </message>
        <message>
            <location filename="../../app/runtime_words.py" />
            <source>The pack {subject} is for Python {made}, and this Longread runs {needed}. Get the pack for this version of Longread.</source>
            <translation>运行包 {subject} 适用于 Python {made}，而此 Longread 使用 {needed}。请获取适用于此版本 Longread 的运行包。</translation>
        </message>
        <message>
            <location filename="../../app/runtime_words.py" />
            <source>The pack {subject} is for {made}, and this computer is {needed}. Get the pack for this system.</source>
            <translation>运行包 {subject} 适用于 {made}，而本机是 {needed}。请获取适用于此系统的运行包。</translation>
        </message>
        <message>
            <location filename="../../app/runtime_words.py" />
            <source>The pack {subject} is of form {made}, and this Longread knows {needed}. Get the pack for this version.</source>
            <translation>运行包 {subject} 的格式为 {made}，而此 Longread 认识的是 {needed}。请获取适用于此版本的运行包。</translation>
        </message>
        <message>
            <location filename="../../app/runtime_words.py" />
            <source>The pack {subject} was made for another engine ({made}; this one is {needed}). Get the pack for this version of Longread.</source>
            <translation>运行包 {subject} 是为另一引擎制作的（{made}；当前为 {needed}）。请获取适用于此版本 Longread 的运行包。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The pages could not be laid out, so no PDF was written. Export as Markdown or Word instead, or try again.</source>
            <translation>无法排版页面，因此没有生成 PDF。请改为导出 Markdown 或 Word，或重试。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>The part of Longread that draws pages stopped at this page of {name}, so its text is shown. Nothing else was touched.</source>
            <translation>Longread 绘制页面的部分在 {name} 的这一页停止了，因此显示其文本。其他内容未受影响。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>The part of Longread that opens documents stopped at {name}. Nothing of it was read, and nothing else was touched. It may be damaged: save it anew in the program that made it.</source>
            <translation>Longread 打开文档的部分在处理 {name} 时停止。其中没有任何内容被阅读，其他内容也没有受影响。文件可能已损坏：请在创建它的程序中重新保存。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The policy {policy} is on, and nothing was forgotten.</source>
            <translation>策略 {policy} 已开启，却什么也没有遗忘。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The policy {subject} does not know that mode. Nothing was read. Leave the mode to it, or choose another policy.</source>
            <translation>策略 {subject} 不支持该模式。未读取任何内容。请由策略自行决定模式，或选择其他策略。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The process that opens a document has no network: Python refuses it every connection (audit hook).</source>
            <translation>打开文档的进程没有网络：Python 拒绝它的一切连接（审计钩子）。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The process that opens a document has no network: the system's kernel refuses it every connection (seccomp).</source>
            <translation>打开文档的进程没有网络：系统内核拒绝它的一切连接（seccomp）。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The process that opens documents could not be closed off from the network on this system. Open only documents that you trust.</source>
            <translation>在此系统上无法将打开文档的进程与网络隔离。请只打开您信任的文档。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>The product “{product}” is not used for writing: {reason}.</source>
            <translation>生成时不使用乘积“{product}”：{reason}。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The question with what was said before it is {needed} tokens, and the window leaves {available} for it, however the documents are read. Nothing was cut and nothing was sent to the model. Ask more briefly, begin a new conversation, or choose a model with a longer window.</source>
            <translation>问题连同之前的对话共 {needed} 个词元，而无论文档如何阅读，窗口为此只留有 {available} 个。没有截断任何内容，也没有向模型发送任何内容。请更简短地提问，开始新对话，或选择窗口更长的模型。</translation>
        </message>
        <message>
            <location filename="../../app/runtime_words.py" />
            <source>The runtime that came with Longread stays: it is what the engine falls back to.</source>
            <translation>Longread 自带的运行环境会保留：引擎在需要时退回到它。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>The runtime {runtime} cannot be used, so the one that came with Longread is. Install it again or choose another: longread runtime list.</source>
            <translation>运行环境 {runtime} 无法使用，因此使用 Longread 自带的。请重新安装，或选择另一个：longread runtime list。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>The runtime {runtime} is for NVIDIA cards and finds none it can use, so the model runs on the processor. Is the card's driver installed?</source>
            <translation>运行环境 {runtime} 用于 NVIDIA 显卡，但没有找到可用的显卡，因此模型在处理器上运行。显卡驱动程序是否已安装？</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The same among eight sentences of the same form.</source>
            <translation>同样的问题，混在八个形式相同的句子中。</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>The same for good: for ~/.claude/settings.json, or as a custom provider in CC Switch, which writes that file.</source>
            <translation>长期有效的写法：用于 ~/.claude/settings.json，或在 CC Switch 中作为自定义提供商，由它写入该文件。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The same in other precisions</source>
            <translation>其他精度下相同</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The same questions, and digits to say again, with keys, values and weights held more tightly.</source>
            <translation>以更紧凑的键、值和权重问同样的问题，并复述数字。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The second question misses what the first did not need ({kept} left).</source>
            <translation>第二个问题缺少第一个问题不需要的内容（剩 {kept}）。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>The server has no model {subject}. “Test”, or longread remote test, lists those that it has. {said}</source>
            <translation>服务器没有模型 {subject}。“测试”或 longread remote test 会列出它有的模型。{said}</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The server says that it read {said} tokens, and the text has about {counted}: the rest was cut.</source>
            <translation>服务器称读了 {said} 个词元，而文本约有 {counted} 个：其余被截掉了。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The settings could not be read and are now the usual ones. The damaged file was kept as {subject}.</source>
            <translation>无法读取设置，现使用默认设置。损坏的文件已保存为 {subject}。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The settings in {subject} were made by a newer Longread and were left as they are. Changes hold until you close Longread.</source>
            <translation>{subject} 中的设置由更新版本的 Longread 创建，未作改动。您的更改在关闭 Longread 之前有效。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The slope is {slope}, and the arithmetic ({shape}) says {expected}.</source>
            <translation>斜率为 {slope}，而按运算量（{shape}）应为 {expected}。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>The system does not let Longread open {name}, so its text is shown. Check who may read it.</source>
            <translation>系统不允许 Longread 打开 {name}，因此显示其文本。请检查谁有权读取它。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>The system does not let Longread read the settings in {subject}. They are now the usual ones, until you close Longread.</source>
            <translation>系统不允许 Longread 读取 {subject} 中的设置。在关闭 Longread 之前使用默认设置。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>The system does not let Longread read {name}. Check who may read it.</source>
            <translation>系统不允许 Longread 读取 {name}。请检查它的读取权限。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The text has {counted} tokens; with the question and the template {said} were read.</source>
            <translation>文本有 {counted} 个词元；连同问题和模板读了 {said} 个。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The text is shorter than the {promised} rows that are kept.</source>
            <translation>文本比保留的 {promised} 行还短。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The text is too short for the selection. Choose 17,000 tokens or more.</source>
            <translation>文本太短，用不到选取。请选择 17,000 个词元或更多。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The text is too short for the sparse layers. Choose 9,000 tokens or more.</source>
            <translation>文本太短，用不到稀疏层。请选择 9,000 个词元或更多。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The text is too short to compare two lengths.</source>
            <translation>文本太短，无法比较两个长度。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>The text is {tokens} tokens and the window holds {window}. It was read in full, in {segments} segments, each by itself; an answer sees the few that suit the question best.</source>
            <translation>文本有 {tokens} 个词元，而窗口可容纳 {window} 个。已分 {segments} 段全文阅读，各段互相独立；回答只看到最符合问题的几段。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The text was read again though its reading was saved.</source>
            <translation>虽然阅读已保存，文本还是重新读了。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>The variables of this system send the connection through the proxy {subject}, which did not let it pass. Unset HTTP_PROXY, HTTPS_PROXY and ALL_PROXY, or name the server in NO_PROXY. Nothing was sent.</source>
            <translation>系统变量让连接经过代理 {subject}，但它没有放行。请取消 HTTP_PROXY、HTTPS_PROXY 和 ALL_PROXY，或把服务器写入 NO_PROXY。没有发送任何内容。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>The wait for the first word grows as the model's arithmetic says, no faster.</source>
            <translation>等待第一个词的时间按模型的运算量增长，不会更快。</translation>
        </message>
        <message>
            <location filename="../../app/runtime_words.py" />
            <source>The way to {subject} is not encrypted (http), so a pack from there could be anybody's. Nothing was downloaded. Give an address that begins with https, or install from a folder.</source>
            <translation>与 {subject} 的连接未加密（http），从那里得到的运行包可能已被他人替换。未下载任何内容。请给出以 https 开头的地址，或从文件夹安装。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>There is a key {subject} already, in force or revoked. Choose another name, or forget that one first.</source>
            <translation>已有密钥 {subject}，可能有效也可能已吊销。请另取名称，或先删除那一个。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>There is a matter {subject} already. Choose another name.</source>
            <translation>已有事项 {subject}。请选择其他名称。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>There is no key {subject}. See: longread keys list</source>
            <translation>没有密钥 {subject}。参见：longread keys list</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>There is no matter {subject}. See: longread library matters</source>
            <translation>没有事项 {subject}。请查看：longread library matters</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>There is no model {subject}: neither the list of models nor this computer has it. See: longread models list</source>
            <translation>没有模型 {subject}：模型列表和这台电脑上都没有。请查看：longread models list</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>There is no server {subject}. See: longread remote list</source>
            <translation>没有服务器 {subject}。请看：longread remote list</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>There is nothing at {subject}.</source>
            <translation>{subject} 处没有任何内容。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>There is too little room in {subject}: {needed} are needed and {available} are free. Nothing was lost; make room and try again.</source>
            <translation>{subject} 的空间不足：需要 {needed}，可用 {available}。没有丢失任何内容；请腾出空间后重试。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>This is longer than the model at {subject} takes, which says: {said} Nothing was cut, and nothing was answered. Remove a document, or choose a model with a longer window.</source>
            <translation>这超过了 {subject} 上的模型能接受的长度，它说：{said} 没有截断，也没有作答。请移除一个文档，或选择窗口更长的模型。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>This is {needed} tokens and the model at {subject} takes {available}. Nothing was cut, and nothing was answered. Remove a document, or choose a model with a longer window.</source>
            <translation>这有 {needed} 个词元，而 {subject} 上的模型能接受 {available} 个。没有截断，也没有作答。请移除一个文档，或选择窗口更长的模型。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>This is {needed} tokens and the window holds {available}, and you chose to have it read whole. Nothing was cut and nothing was sent to the model. Read in segments it is no longer too long; or remove a document, choose a larger context window, or a model with a longer one.</source>
            <translation>这里有 {needed} 个词元，而窗口可容纳 {available} 个，且您选择了整体阅读。没有截断任何内容，也没有向模型发送任何内容。分段阅读时就不再过长；或者请移除一个文档，选择更大的上下文窗口，或选择窗口更长的模型。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>This is {needed} tokens and the window holds {available}; this model reads every text whole. Nothing was cut and nothing was sent to the model. Choose a larger context window in the settings, or remove a document.</source>
            <translation>内容有 {needed} 个词元，而窗口只能容纳 {available} 个；该模型总是完整读取每份文本。没有截断任何内容，也没有向模型发送任何内容。请在设置中选择更大的上下文窗口，或移除一份文档。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>This is {needed} tokens, of which {available} would be kept, and you chose not to have that. Nothing was read. Keep more, or let the rest be forgotten.</source>
            <translation>共 {needed} 个词元，其中只会保留 {available} 个，而您选择了不这样做。未读取任何内容。请保留更多，或允许遗忘其余内容。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>This model cannot be used: {message}. Choose another one in the settings.</source>
            <translation>无法使用此模型：{message}。请在设置中选择其他模型。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>This model chooses blocks of a text to look at, and forgets whole blocks or nothing: the policy {subject} cannot choose for it. Nothing was read. Choose the policy of blocks (--policy blocks), or keep everything.</source>
            <translation>该模型自行选择要看的文本块，只能整块遗忘：策略 {subject} 无法替它选择。未读取任何内容。请选择按块的策略（--policy blocks），或保留全部。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>This model comes stretched already ({kind}), so it is not stretched again: its window stays {native}.</source>
            <translation>此模型本身已经拉伸过（{kind}），因此不再拉伸：窗口保持 {native} 个词元。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>This model does not keep all of a text in every layer, so no policy can choose what to forget. Nothing was read. Ask without a policy.</source>
            <translation>该模型并非每一层都保留全部文本，因此没有策略可以选择遗忘哪些内容。未读取任何内容。请不使用策略提问。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>This model has positions in those layers alone that see only what is near, so there is nothing to stretch: its window goes as far as the memory.</source>
            <translation>该模型只有在只看近处的层中才有位置信息，因此没有什么可以扩展：它的窗口取决于内存大小。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>This model looks at a text in a way of its own, so no selection of its rows can be read instead. Nothing was read. Ask without a selection, or choose a model that looks at everything.</source>
            <translation>这个模型以自己的方式看文本，因此不能改为只看选出的部分。什么都没有读。请不用选择再提问，或换一个看全部内容的模型。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>This model was made for long texts and read yours whole, at once: segments and parts are for models that cannot.</source>
            <translation>该模型是为长文本设计的，已一次性完整读取您的文本：分段和分部分是为做不到这一点的模型准备的。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>This page of {name} is damaged and cannot be drawn, so its text is shown.</source>
            <translation>{name} 的这一页已损坏，无法绘制，因此显示其文本。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>This page of {name} needs more memory than drawing it may take, so its text is shown.</source>
            <translation>绘制 {name} 的这一页所需内存超过允许的上限，因此显示其文本。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>This page of {name} took too long to draw, so its text is shown.</source>
            <translation>绘制 {name} 的这一页耗时过长，因此显示其文本。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>This processor has no instructions for bf16; fp32 is faster here.</source>
            <translation>此处理器没有 bf16 指令；在这里 fp32 更快。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Tier</source>
            <translation>级别</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Time against length</source>
            <translation>时间与长度</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>To replay a sample: longread verify --check {file}</source>
            <translation>重放一部分：longread verify --check {file}</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>To try it in a terminal: words arrive as they are written. A proxy is passed over.</source>
            <translation>在终端里试用：文字边写边到。会绕过代理。</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>Tokens</source>
            <translation>词元</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>Tokens of each document are estimates: the tokenizer of a model elsewhere is not here.</source>
            <translation>各文档的词元数是估计值：别处模型的分词器不在这台电脑。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Two conversations stay apart</source>
            <translation>两个对话互不相混</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>Type these into the terminal in which you start Claude Code; they hold until it is closed.</source>
            <translation>在启动 Claude Code 的终端里输入；关闭终端即失效。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Values that change</source>
            <translation>变化的值</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Verdict</source>
            <translation>结论</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Versions</source>
            <translation>版本</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>What an answer would be without a passage is tried by a model of this computer alone; nothing was sent to {subject}.</source>
            <translation>只有这台电脑的模型才能尝试去掉某段后会如何作答；没有向 {subject} 发送任何内容。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>What comes back from disk gives the same answer, and nothing is read again.</source>
            <translation>从磁盘取回的阅读给出相同的回答，什么也不重读。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>What is kept is what was asked for</source>
            <translation>保留的正是所要求的</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>What the answers were written from</source>
            <translation>回答的依据</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>What the search knew of your texts was damaged and is made anew from them. Nothing of yours was lost; search again in a moment.</source>
            <translation>查找所用的文本索引已损坏，正在根据您的文本重新建立。您没有丢失任何内容；请稍后再次查找。</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>What to enter in Cline's settings.</source>
            <translation>在 Cline 的设置中填写的内容。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>What was found</source>
            <translation>发现</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>What was kept on disk in full precision was taken into memory as int8, so that it fits.</source>
            <translation>磁盘上以全精度保存的内容已以 int8 载入内存，以便放得下。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>What was read is held as int8: in full precision it would not fit into the memory that is free.</source>
            <translation>已读的内容以 int8 存放：以全精度存放会超出可用内存。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>What was read is not kept on disk, since parts of it were forgotten by the policy that you chose.</source>
            <translation>由于您选择的策略已遗忘部分内容，读取的内容不会保存到磁盘。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>What was read is not kept on disk: it takes {needed}, and all readings together may take {quota}. After a restart it is read again. Allow more in the settings.</source>
            <translation>已读的内容没有保存在磁盘上：它需要 {needed}，而所有阅读结果合计最多可占用 {quota}。重新启动后会重新阅读。请在设置中允许更多空间。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>What was read is not kept on disk: with a selection it is an approximation. After a restart it is read again.</source>
            <translation>读过的内容没有保存到磁盘：只看选出的部分得到的是近似结果。重新启动后会再读一遍。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>What was read is not kept: the disk is full. After a restart it is read again. Make room on the disk.</source>
            <translation>已读的内容没有保存：磁盘已满。重新启动后会重新阅读。请在磁盘上腾出空间。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>What was read is not kept: the folder for readings cannot be written. After a restart it is read again. Check the permissions of that folder.</source>
            <translation>已读的内容没有保存：阅读结果的文件夹无法写入。重新启动后会重新阅读。请检查该文件夹的权限。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>What was verified</source>
            <translation>验证的内容</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>What {subject} sends is no answer of OpenAI's protocol. Check that the address is that of the API and not of a web page.</source>
            <translation>{subject} 发来的不是 OpenAI 协议的回答。请检查地址是 API 的而不是网页的。</translation>
        </message>
        <message>
            <location filename="../../app/runtime_words.py" />
            <source>What {subject} sent is no manifest of a pack. Nothing was downloaded. Check the address, or open it in a browser: the network may want you to sign in first.</source>
            <translation>{subject} 发来的不是运行包的清单。未下载任何内容。请检查地址，或在浏览器中打开它：网络可能要求您先登录。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Window, tokens</source>
            <translation>窗口（词元）</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>With INT4 weights, which are less exact, a window of {window} would fit.</source>
            <translation>权重用 INT4（精确度较低）时，{window} 个词元的窗口放得下。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>With INT8 weights, a window of {window} would fit.</source>
            <translation>权重用 INT8 时，{window} 个词元的窗口放得下。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>With keys and values as INT8 as well, a window of {window} would fit.</source>
            <translation>键和值也用 INT8 时，{window} 个词元的窗口放得下。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>With {form}, {kept} of the answers is left (compared: {forms}).</source>
            <translation>用 {form} 时，回答剩 {kept}（比较了：{forms}）。</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>With: {names}</source>
            <translation>附：{names}</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>Written by {model} at {host}: the question and the documents were sent there. Quotes are checked on this computer; what the attention read is not told by a server.</source>
            <translation>由 {host} 上的 {model} 写出：问题和文档已发往那里。引文在这台电脑核对；服务器不告知注意力读了什么。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>Your document has {tokens} tokens. Choose that length or less.</source>
            <translation>您的文档有 {tokens} 个词元。请选择不超过此长度。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>a copy of the document with SHA-256 {sha}, with planted facts</source>
            <translation>SHA-256 为 {sha} 的文档的副本，埋入了事实</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>a document that it may not use</source>
            <translation>它不可使用的文档</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>a model that it may not ask</source>
            <translation>它不可使用的模型</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>a model that you asked for</source>
            <translation>您要求的模型</translation>
        </message>
        <message>
            <location filename="../../app/runtime_words.py" />
            <source>a pack for a graphics card that you asked for</source>
            <translation>您要求的显卡运行包</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>a question and its documents, to the server that you chose</source>
            <translation>问题及其文档，发往您选择的服务器</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>a quotation mark is not closed: all quotation marks were read as plain signs</source>
            <translation>有一个引号没有闭合：所有引号都按普通符号读取</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>a tiny question, to try a server that you added</source>
            <translation>一个小问题，用于测试您添加的服务器</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>an engine elsewhere, which it may not ask</source>
            <translation>它不可使用的其他电脑上的引擎</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>another model is loaded</source>
            <translation>已载入另一个模型</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>archives in archives, more than five deep</source>
            <translation>压缩包嵌套超过五层</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>cell {label}</source>
            <translation>单元格 {label}</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>cells: {count}</source>
            <translation>单元格数：{count}</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>changed on disk</source>
            <translation>磁盘上已改变</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>close</source>
            <translation>相近</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>daily limit reached</source>
            <translation>已达每日上限</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>damaged</source>
            <translation>已损坏</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>empty</source>
            <translation>空的</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>every part asked</source>
            <translation>逐部分提问</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>exact</source>
            <translation>一致</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>file {label}</source>
            <translation>文件 {label}</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>files: {count}</source>
            <translation>文件数：{count}</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>folders that hold themselves</source>
            <translation>包含自身的文件夹</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>formats not read yet</source>
            <translation>尚不支持的格式</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>found in {count} places</source>
            <translation>见于 {count} 处</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>generated by a program</source>
            <translation>由程序生成</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>hidden sheets were read: {sheets}</source>
            <translation>隐藏的工作表已读取：{sheets}</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>ignored by git</source>
            <translation>被 git 忽略</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>left out: {count}</source>
            <translation>未纳入：{count}</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>links to other places</source>
            <translation>指向别处的链接</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>may have changed on disk</source>
            <translation>磁盘上可能已改变</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>message {label}</source>
            <translation>邮件 {label}</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>messages: {count}</source>
            <translation>邮件数：{count}</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>minified</source>
            <translation>压缩过的代码</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>names that lead out of the archive</source>
            <translation>指向压缩包之外的名称</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>no</source>
            <translation>否</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>no ordinary files</source>
            <translation>不是普通文件</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>no text (pictures, programs, data)</source>
            <translation>没有文本（图片、程序、数据）</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>no text layer on pages {pages}: they are pictures, and were left out. Text recognition reads them where it is installed (pip install longread[ocr]) and switched on</source>
            <translation>第 {pages} 页没有文本层：它们是图片，未纳入。安装文字识别（pip install longread[ocr]）并开启后即可读取</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>not allowed by the system</source>
            <translation>系统不允许</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>not answered in time</source>
            <translation>未能按时答复</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>not checked</source>
            <translation>未核对</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>not checked: it is not here</source>
            <translation>未核对：它不在这里</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>not found in the documents</source>
            <translation>在文档中未找到</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>not there</source>
            <translation>不存在</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>note {subject}: the document says so there</source>
            <translation>注释 {subject}：文档在该处确实这样写</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>nothing, by {policy}</source>
            <translation>无，策略 {policy}</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>of {count} pictures of an animation the first was read</source>
            <translation>动画共有 {count} 张图片，只读取了第一张</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>older version</source>
            <translation>旧版本</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>on pages {pages} the file does not say which letters it shows, or says it wrongly: what was read of them is nonsense. Text recognition reads them where it is installed (pip install longread[ocr]) and switched on</source>
            <translation>在第 {pages} 页上，文件没有说明所显示的是哪些字符，或说明有误：从中读到的是乱码。安装文字识别（pip install longread[ocr]）并开启后即可读取</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>on the internet (never fetched)</source>
            <translation>在互联网上（从不获取）</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>original not found</source>
            <translation>未找到原始文件</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>other people's code or a tool's cache</source>
            <translation>他人的代码或工具的缓存</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>out of memory</source>
            <translation>内存不足</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>packed in a way that is not unpacked (7z, RAR, Zstandard)</source>
            <translation>不支持解压的压缩格式（7z、RAR、Zstandard）</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>page {label}</source>
            <translation>第 {label} 页</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>pages that there was no time left to recognise</source>
            <translation>来不及识别的页</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>pages without a text layer</source>
            <translation>没有文本层的页</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>pages {pages} are damaged and were left out</source>
            <translation>第 {pages} 页已损坏，未纳入</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>pages {pages} are pictures that there was no time left to recognise, and were left out: divide the file and add the parts</source>
            <translation>第 {pages} 页是来不及识别的图片，未纳入：请将文件拆分后添加各部分</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>pages {pages} are pictures with little text: that text was read, words in the pictures were not. Text recognition reads them where it is installed (pip install longread[ocr]) and switched on</source>
            <translation>第 {pages} 页是带少量文本的图片：文本已读取，图片中的文字没有读取。安装文字识别（pip install longread[ocr]）并开启后即可读取</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>pages {pages} use fonts that are neither in the file nor on this computer: they were read, but not all of their words are seen when they are shown</source>
            <translation>第 {pages} 页使用的字体既不在文件中，也不在这台电脑上：内容已读取，但显示页面时看不到其中的全部文字</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>pages: {count}</source>
            <translation>页数：{count}</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>pictures</source>
            <translation>图片</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>pictures (text recognition is switched off)</source>
            <translation>图片（文字识别已关闭）</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>pictures beyond the 200 whose words are recognised at once</source>
            <translation>超出一次最多识别 200 张的图片</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>pictures in the text of a mail</source>
            <translation>邮件正文中的图片</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>pictures of text (text recognition is not installed)</source>
            <translation>文字图片（未安装文字识别）</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>prose of this computer, with planted facts</source>
            <translation>这台电脑上的文章，埋入了事实</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>protected by a password</source>
            <translation>受密码保护</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>read in segments</source>
            <translation>分段阅读</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>read whole</source>
            <translation>整篇阅读</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>row {n}</source>
            <translation>第 {n} 行</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>section {label}</source>
            <translation>“{label}”一节</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>sections: {count}</source>
            <translation>章节数：{count}</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>sheet {label}</source>
            <translation>工作表 {label}</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>sheets that are too big or damaged were left out: {sheets}</source>
            <translation>太大或已损坏的工作表未纳入：{sheets}</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>sheets: {count}</source>
            <translation>工作表数：{count}</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>signatures that are checked by mail programs</source>
            <translation>供邮件程序核对的签名</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>slide {label}</source>
            <translation>幻灯片 {label}</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>slides {slides} are hidden in a presentation; they were read</source>
            <translation>幻灯片 {slides} 在放映时隐藏；已读取</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>slides: {count}</source>
            <translation>幻灯片数：{count}</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>stopped the reading of the folder</source>
            <translation>中止了文件夹的读取</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>the archive is damaged: what comes after the damage was not read, and is not listed</source>
            <translation>压缩包已损坏：损坏处之后的内容没有读取，也没有列出</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>the archive unpacks to more than one document may hold: the rest was not read, and is not listed</source>
            <translation>压缩包解压后超出了单个文档的上限：其余内容没有读取，也没有列出</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>the book gives no reading order; its parts were read as they are listed</source>
            <translation>此书没有给出阅读顺序；各部分按列出的顺序读取</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>the encoding is not certain: read as {encoding}</source>
            <translation>编码不确定：按 {encoding} 读取</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>the encoding of {count} file names in the archive is not certain: read as {encoding}</source>
            <translation>压缩包中 {count} 个文件名的编码不确定：按 {encoding} 读取</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>the engine stopped</source>
            <translation>引擎停止</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>the exported file {subject} is the one that was written</source>
            <translation>导出的文件 {subject} 与当时写入的一致</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>the file ends too early: what should follow is missing</source>
            <translation>文件过早结束：后面应有的内容缺失</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>the list of models of a server that you added</source>
            <translation>您添加的服务器的模型列表</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>the model could not be loaded</source>
            <translation>模型无法载入</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>the notes begin anew on each printed page; here they are numbered through</source>
            <translation>原文的注释在每个印刷页上重新编号；这里连续编号</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>the text of {subject} is the one that was read</source>
            <translation>{subject} 的文本与当时读取的一致</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>the words of pages {pages} were recognised from pictures (languages: {languages}): check what matters against the original</source>
            <translation>第 {pages} 页的文字是从图片识别的（语言：{languages}）：重要内容请对照原件核实</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>too big</source>
            <translation>太大</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>too long for the window</source>
            <translation>超出窗口长度</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>too many requests at once</source>
            <translation>同时请求过多</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>took too long to open</source>
            <translation>打开耗时过长</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>tracked changes are marked in the text: {insertions} insertions and {deletions} deletions</source>
            <translation>修订已在文本中标出：{insertions} 处插入，{deletions} 处删除</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>tracked changes were read as accepted: {deletions} deletions left out, {insertions} insertions read</source>
            <translation>修订按已接受读取：{deletions} 处删除未纳入，{insertions} 处插入已读取</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>tracked changes were read as not made: {insertions} insertions left out, {deletions} deletions read</source>
            <translation>修订按未作修订读取：{insertions} 处插入未纳入，{deletions} 处删除已读取</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>unknown model</source>
            <translation>未知模型</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>version control's own files</source>
            <translation>版本控制自身的文件</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>what belongs to a model that you asked for</source>
            <translation>您要求的模型的附属文件</translation>
        </message>
        <message>
            <location filename="../../app/runtime_words.py" />
            <source>what packs there are for a graphics card, which you asked for</source>
            <translation>您查询的可用显卡运行包</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>window {window}, temperature {temperature}, seed {seed}, {mode}</source>
            <translation>窗口 {window}，温度 {temperature}，种子 {seed}，{mode}</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>without text</source>
            <translation>没有文本</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>yes</source>
            <translation>是</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>{address} answers.</source>
            <translation>{address} 有响应。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>{asked} tokens were asked for; stretched as far as it goes, the model holds {window}.</source>
            <translation>要求 {asked} 个词元；拉伸到极限时，该模型可容纳 {window} 个。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>{asked} tokens were asked for; the model was made for {window}, which is what it gets.</source>
            <translation>要求 {asked} 个词元；该模型支持 {window} 个，按此使用。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{count} attached files were not read</source>
            <translation>{count} 个附件未读取</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{count} attached files were not read: {names}</source>
            <translation>{count} 个附件未读取：{names}</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{count} bytes after the document's end were not read</source>
            <translation>文档结尾之后的 {count} 个字节未读取</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{count} cells hold an error (such as #DIV/0!); they stand empty, or as 0, in the text</source>
            <translation>{count} 个单元格含有错误（例如 #DIV/0!）；在文本中为空或为 0</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{count} characters are not valid {encoding} and stand as �</source>
            <translation>{count} 个字符不是有效的 {encoding}，以 � 表示</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{count} comments or text boxes beside the cells were not read: save the workbook as XLSX to have them</source>
            <translation>单元格之外的 {count} 个批注或文本框未读取：将工作簿另存为 XLSX 即可读取</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>{count} documents of the library are meant by {subject}. Give the beginning of the id of one of them.</source>
            <translation>{subject} 对应资料库中的 {count} 个文档。请给出其中一个文档的 ID 开头部分。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{count} embedded objects (other documents, old formulas, drawings) were not read</source>
            <translation>{count} 个嵌入对象（其他文档、旧式公式、绘图）未读取</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{count} formulas have no stored result and stand empty in the text: open and save the file in a spreadsheet program, and add it again</source>
            <translation>{count} 个公式没有保存结果，在文本中为空：请在电子表格程序中打开并保存该文件，然后重新添加</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{count} further warnings about single files</source>
            <translation>另有 {count} 条关于单个文件的警告</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{count} hidden pieces of text were left out</source>
            <translation>{count} 处隐藏文本未纳入</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{count} page numbers and repeated lines at the edges of pages were left out</source>
            <translation>{count} 处页码和页边重复的行未纳入</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{count} parts of the book are not in the file</source>
            <translation>书中有 {count} 个部分不在文件里</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{count} pictures were not read</source>
            <translation>{count} 张图片未读取</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{count} recognised words on pages {pages} are uncertain and may be others</source>
            <translation>有 {count} 个识别出的词不确定，可能有误（第 {pages} 页）</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{count} slides are missing or damaged and were left out</source>
            <translation>{count} 张幻灯片缺失或已损坏，未纳入</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>{forgotten} of {total} tokens, by {policy}</source>
            <translation>{total} 个词元中的 {forgotten} 个，策略 {policy}</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>{forward} digits forwards, {reversed} in reverse.</source>
            <translation>顺着 {forward} 个数字，倒着 {reversed} 个。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>{host} did not say how many tokens this was, so the numbers are estimates.</source>
            <translation>{host} 未告知词元数，因此数字是估计值。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>{host} ended the answer and gave as its reason: {reason}.</source>
            <translation>{host} 结束了回答，理由是：{reason}。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>{host} read the text in segments, each of which was asked, since it is longer than its model's window; the answer was written over those that fit the question best.</source>
            <translation>{host} 分段读取了文本并逐段提问，因为文本超出其模型的窗口；答案依据最切合问题的几段写成。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>{kept} of what the short text gave is left.</source>
            <translation>与短文本相比剩 {kept}。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>{kept} of what the short text gave is left. By the engine's count the text was read whole and nothing of it was forgotten or passed over: it is the model that loses it. A larger model keeps more.</source>
            <translation>与短文本相比剩 {kept}。按引擎的计数，文本完整读入，没有遗忘或略过任何内容：是模型自己丢失的。更大的模型能保留更多。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>{kept} of what the short text gave is left. The text was read in segments, and an answer is written over some of them alone: what stands in the others is missed. Keep more segments, or choose a model with a larger window.</source>
            <translation>与短文本相比剩 {kept}。文本是分段读入的，回答只依据其中几段写成：其他段里的内容会被漏掉。请保留更多段，或选择窗口更大的模型。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>{keys} counts, each told {times} times.</source>
            <translation>{keys} 个数目，各说 {times} 次。</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>{model} ({precision}), fingerprint {fingerprint}</source>
            <translation>{model}（{precision}），指纹 {fingerprint}</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>{model} answered a message of Anthropic's protocol in {seconds} s.</source>
            <translation>{model} 用 {seconds} 秒回答了一条 Anthropic 协议的消息。</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>{model} answered, with its first word after {seconds} s.</source>
            <translation>{model} 已回答，第一个字用时 {seconds} 秒。</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>{model} is none of the models that this key may ask.</source>
            <translation>{model} 不在此密钥可使用的模型之中。</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>{model}, at {host} (the question and the documents were sent there)</source>
            <translation>{model}，位于 {host}（问题和文档已发往那里）</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{name} has changed since it was read, so what stands on its pages may be something else: its text is shown as it was read. Add it again to see its pages.</source>
            <translation>{name} 在读取之后已有改动，页面上的内容可能不同：因此按读取时的样子显示其文本。要查看页面，请重新添加它。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{name} holds archives in archives, more than five deep, or unpacks to itself without end. Nothing of it was read. Unpack what should be read and add that.</source>
            <translation>{name} 中的压缩包嵌套超过五层，或会无休止地解压出自身。其中没有任何内容被阅读。请解压需要阅读的内容并添加。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{name} holds no text that can be read. If it is a scan, its pages are pictures: install text recognition (pip install longread[ocr]) or switch it on, and add the file again.</source>
            <translation>{name} 中没有可读取的文本。如果它是扫描件，则各页都是图片：请安装文字识别（pip install longread[ocr]）或将其开启，然后重新添加该文件。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{name} is a picture, and text recognition is not installed, so nothing of it was read. Install it with pip install longread[ocr] and add the file again.</source>
            <translation>{name} 是图片，而文字识别尚未安装，因此其中没有任何内容被阅读。请用 pip install longread[ocr] 安装，然后重新添加该文件。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{name} is a picture, and text recognition is switched off, so nothing of it was read. Switch it on to read the words of pictures.</source>
            <translation>{name} 是图片，而文字识别已关闭，因此其中没有任何内容被阅读。请开启文字识别以读取图片中的文字。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{name} is damaged and could not be opened. Nothing of it was read. Get a fresh copy, or save it anew in the program that made it.</source>
            <translation>{name} 已损坏，无法打开。其中没有任何内容被阅读。请获取新的副本，或在创建它的程序中重新保存。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{name} is empty. If it is still being copied or downloaded, add it again when that is done.</source>
            <translation>{name} 是空的。如果它仍在复制或下载，请在完成后重新添加。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{name} is in a format that Longread does not read. It reads PDF, Office and OpenDocument files, RTF, EPUB, HTML, Markdown, plain text, source code, mails, notebooks, folders and archives of these; save it as one of them.</source>
            <translation>{name} 的格式 Longread 无法读取。它能读取 PDF、Office 和 OpenDocument 文件、RTF、EPUB、HTML、Markdown、纯文本、源代码、邮件、笔记本，以及由这些组成的文件夹和压缩包；请另存为其中一种。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{name} is more than one document may hold, or needs more memory than reading it may take. Nothing of it was read. Divide it and add the parts.</source>
            <translation>{name} 超出了单个文档的上限，或读取它所需的内存过多。其中没有任何内容被阅读。请将它拆分后添加各部分。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{name} is no longer where it was read, so its text is shown. Add it from where it is now to see its pages.</source>
            <translation>{name} 已不在读取时的位置，因此显示其文本。要查看页面，请从它现在的位置重新添加。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{name} is not there. It was moved, renamed or deleted; add it from where it is now.</source>
            <translation>{name} 不在那里。它已被移动、重命名或删除；请从现在的位置添加。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{name} is packed as {detail}, which Longread does not unpack. Nothing of it was read. Unpack it and add the folder.</source>
            <translation>{name} 的压缩格式是 {detail}，Longread 不解压这种格式。其中没有任何内容被阅读。请解压后添加文件夹。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{name} is protected by a password, so its text is shown. Give the password to see its pages.</source>
            <translation>{name} 受密码保护，因此显示其文本。提供密码后即可查看页面。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{name} is protected by a password, so nothing of it was read. Give its password where it is listed, or with --password; where none helps, save a copy without one in the program that made it, and add the copy.</source>
            <translation>{name} 受密码保护，因此未读取任何内容。请在列表中输入其密码，或使用 --password；若无法打开，请在创建它的程序中另存一份不带密码的副本，再添加该副本。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{name} lies in an archive or a mail, so its text is shown. Add the file itself to see its pages.</source>
            <translation>{name} 位于压缩包或邮件中，因此显示其文本。要查看页面，请添加该文件本身。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{name} took too long to open and was given up. Nothing of it was read. It may be damaged: save it anew in the program that made it, or divide it.</source>
            <translation>{name} 打开耗时过长，已放弃。其中没有任何内容被阅读。文件可能已损坏：请在创建它的程序中重新保存，或将它拆分。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{name} was not copied: it is a folder. Copy it yourself, or export its text.</source>
            <translation>未复制 {name}：它是文件夹。请自行复制，或导出它的文本。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{name} was not copied: the original has changed since it was read, and the copy would not be what answers quote. Read the new version first, or export the text.</source>
            <translation>未复制 {name}：原始文件在读取之后已改变，副本将不是回答所引用的内容。请先读取新版本，或导出文本。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{name} was not copied: the original is not where it was. Its text can still be exported.</source>
            <translation>未复制 {name}：原始文件不在原来的位置。仍可导出它的文本。</translation>
        </message>
        <message>
            <location filename="../../app/document_words.py" />
            <source>{name} was not exported: its kept text is missing or has changed. Add the document again.</source>
            <translation>未导出 {name}：它的保存文本缺失或已改变。请重新添加该文档。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>{needed} tokens were read and {available} may be kept, but nothing was forgotten: the policy did not work. Ask without it.</source>
            <translation>已读取 {needed} 个词元，允许保留 {available} 个，但没有遗忘任何内容：策略未起作用。请不使用策略提问。</translation>
        </message>
        <message>
            <location filename="../../app/notes.py" />
            <source>{operation} was wrong on {device} and runs in its slower, plain form there ({reason}).</source>
            <translation>{operation} 在 {device} 上结果有误，在那里以较慢的普通形式运行（{reason}）。</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>{places} and {count} more</source>
            <translation>{places} 及另外 {count} 处</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>{policy}: {rows} rows are kept of {promised} promised, {forgotten} are forgotten.</source>
            <translation>{policy}：承诺保留 {promised} 行，保留了 {rows} 行，遗忘 {forgotten} 行。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>{process} MB more at the end, {slope} MB with each text.</source>
            <translation>最后多出 {process} MB，每段文本 {slope} MB。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>{promised} rows were to be kept and {rows} were: more than was asked for.</source>
            <translation>应保留 {promised} 行，实际保留 {rows} 行：多于要求。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>{promised} rows were to be kept and {rows} were: too much is forgotten.</source>
            <translation>应保留 {promised} 行，实际保留 {rows} 行：遗忘过多。</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>{prompt} in the prompt, {unread} of them not read, {evicted} forgotten</source>
            <translation>提示中 {prompt}，其中未读 {unread}，已遗忘 {evicted}</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>{reopened} of {prompt} tokens came from disk.</source>
            <translation>{prompt} 个词元中有 {reopened} 个来自磁盘。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>{right} of {of} right (95 %: {low} to {high})</source>
            <translation>{of} 个中 {right} 个正确（95 %：{low} 至 {high}）</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>{right} of {of} right (95 %: {low} to {high}); short text {control_right} of {control_of}</source>
            <translation>{of} 个中 {right} 个正确（95 %：{low} 至 {high}）；短文本 {control_of} 个中 {control_right} 个</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>{same} of {compared} answers are the same letter for letter ({forms}).</source>
            <translation>{compared} 个回答中 {same} 个逐字相同（{forms}）。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>{subject} answered with {message} and gave no file. What has come so far is kept.</source>
            <translation>{subject} 返回 {message}，没有给出文件。已收到的部分会保留。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>{subject} answers and knows no chat at this address, neither with /v1 nor without. Check the part after the host's name.</source>
            <translation>{subject} 有应答，但在此地址没有聊天接口，有无 /v1 都没有。请检查主机名之后的部分。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>{subject} answers that something went wrong on its side. Ask again, or look into its log. {said}</source>
            <translation>{subject} 回答说它那边出了问题。请再问一次，或查看其日志。{said}</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>{subject} cannot be used as an address. It looks like http://host:8000 or https://host/v1.</source>
            <translation>{subject} 不能用作地址。地址形如 http://host:8000 或 https://host/v1。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>{subject} could not be reached. What has come so far is kept. Check the connection, the proxy or the address in the settings, and try again.</source>
            <translation>无法连接到 {subject}。已收到的部分会保留。请检查网络连接、代理或设置中的地址，然后重试。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>{subject} could not be reached: nothing answers there. Check that the server is running, its address and port, and that no firewall is between. Nothing was sent.</source>
            <translation>无法连接 {subject}：那里没有应答。请检查服务器是否在运行、地址和端口是否正确、中间是否有防火墙。没有发送任何内容。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>{subject} does not accept the key, or wants one and was given none. Put in another: longread remote add, or Models in the window. {said}</source>
            <translation>{subject} 不接受该密钥，或需要密钥而没有提供。请输入另一个：longread remote add，或窗口中的“模型”。{said}</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>{subject} does not say in what form to export: let its name end in .md, .pdf or .docx.</source>
            <translation>无法从 {subject} 得知导出格式：请让名称以 .md、.pdf 或 .docx 结尾。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>{subject} ended the connection before the answer was whole: the server stopped, or something on the way did. What came is kept; ask again.</source>
            <translation>{subject} 在回答完整之前结束了连接：服务器停止了，或途中有什么停止了。已收到的会保留；请再问一次。</translation>
        </message>
        <message>
            <location filename="../../app/runtime_words.py" />
            <source>{subject} has no pack for this version of Longread ({made}) and this system ({needed}). Nothing was downloaded. Install one from a folder instead, or look whether there is a newer Longread.</source>
            <translation>{subject} 没有适用于此版本 Longread（{made}）和此系统（{needed}）的运行包。未下载任何内容。请改为从文件夹安装，或查看是否有更新的 Longread。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>{subject} has too much to do or your share of it is used up. Ask again in a while. {said}</source>
            <translation>{subject} 过于繁忙，或您的配额已用完。请稍后再问。{said}</translation>
        </message>
        <message>
            <location filename="../../app/runtime_words.py" />
            <source>{subject} holds no runtime of Longread: no manifest that can be read. Choose manifest.json or, from a release, longread-gpu-…-manifest.json, with all files of the pack beside it.</source>
            <translation>{subject} 中没有 Longread 的运行环境：没有可读取的清单。请选择 manifest.json 或发布版的 longread-gpu-…-manifest.json，运行包的全部文件须与它在同一文件夹中。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>{subject} is already being downloaded by another Longread.</source>
            <translation>另一个 Longread 正在下载 {subject}。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>{subject} is no certificate that this Longread can check. Give the JSON file that `longread verify --json` wrote.</source>
            <translation>{subject} 不是此 Longread 能核对的证书。请给出 `longread verify --json` 写出的 JSON 文件。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>{subject} is no export of Longread, or was damaged: nothing can be checked by it.</source>
            <translation>{subject} 不是 Longread 导出的文件，或已损坏：无法据此核对任何内容。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>{subject} is no model: a single file must be a .gguf file.</source>
            <translation>{subject} 不是模型：单个文件必须是 .gguf 文件。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>{subject} is no whole model: config.json is missing.</source>
            <translation>{subject} 不是完整的模型：缺少 config.json。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>{subject} is no whole model: it has no .safetensors file, and weights in other formats are not opened.</source>
            <translation>{subject} 不是完整的模型：没有 .safetensors 文件，而其他格式的权重不会被打开。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>{subject} is not on this computer. Get it with: longread models fetch {name}</source>
            <translation>{subject} 不在这台电脑上。获取方法：longread models fetch {name}</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>{subject} is not the file that was expected, so it was deleted. Try again; if that does not help, the source is damaged or has been changed.</source>
            <translation>{subject} 不是预期的文件，因此已删除。请重试；如果仍然不行，则来源已损坏或被更改。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>{subject} is not there. It was written beside the exported file and holds what is checked: put both into one folder.</source>
            <translation>{subject} 不在那里。它写在导出的文件旁边，包含核对所需的内容：请将两者放在同一文件夹中。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>{subject} is still loading its model. Ask again in a moment.</source>
            <translation>{subject} 仍在加载模型。请稍后再问。</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>{subject} is the file that was read</source>
            <translation>{subject} 与当时读取的文件一致</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>{subject} knows the key and does not allow this with it. {said}</source>
            <translation>{subject} 认得该密钥，但不允许用它这样做。{said}</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>{subject} lacks {message}, which a model must have. Choose another model.</source>
            <translation>{subject} 缺少模型必须具有的 {message}。请选择其他模型。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>{subject} lists no model. Name one: longread remote add NAME --model …, or in the window.</source>
            <translation>{subject} 没有列出模型。请写明一个：longread remote add NAME --model …，或在窗口中。</translation>
        </message>
        <message>
            <location filename="../../app/runtime_words.py" />
            <source>{subject} of the pack is missing or is not what its manifest says. Nothing was changed; copy or download the pack again.</source>
            <translation>运行包中的 {subject} 缺失，或与其清单不符。未作任何更改；请重新复制或下载运行包。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>{subject} refuses the request: {said}</source>
            <translation>{subject} 拒绝了请求：{said}</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>{subject} says that it is elsewhere: {said} Nothing is sent there unasked; correct the address.</source>
            <translation>{subject} 说它在别处：{said} 未经要求不会向那里发送；请更正地址。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>{subject} sent nothing for {needed} seconds, so it is not waited for any longer. Long texts take their time: give that server a longer time-out, or look whether it hangs.</source>
            <translation>{subject} 已有 {needed} 秒没有发来任何内容，因此不再等待。长文本需要时间：请给该服务器更长的超时，或查看它是否卡住。</translation>
        </message>
        <message>
            <location filename="../../app/verify_words.py" />
            <source>{subject} was not written: a certificate's name ends in .md, .pdf or .json. Choose one of these.</source>
            <translation>{subject} 没有写出：证书的文件名以 .md、.pdf 或 .json 结尾。请选择其中之一。</translation>
        </message>
        <message>
            <location filename="../../app/runtime_words.py" />
            <source>{subject} was unpacked but does not work here ({message}). It was removed, and nothing was changed.</source>
            <translation>{subject} 已解包，但在本机无法运行（{message}）。它已被移除，未作任何更改。</translation>
        </message>
        <message>
            <location filename="../../app/words.py" />
            <source>{subject} was written by a newer Longread. Install that version to check it.</source>
            <translation>{subject} 由更新版本的 Longread 创建。请安装该版本来核对它。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>{subject}, or a proxy before it, takes no request of this size. Nothing was cut. Have its limit raised, or remove a document.</source>
            <translation>{subject} 或它前面的代理不接受这么大的请求。没有截断。请提高其限制，或移除一个文档。</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>{told}; most of {places}</source>
            <translation>{told}；遗忘最多的是 {places}</translation>
        </message>
        <message>
            <location filename="../../app/export_words.py" />
            <source>{units}, characters: {characters}</source>
            <translation>{units}，字符数：{characters}</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>{variables} is set to {proxy}, where nothing answers. Longread goes past it, but a program that obeys it does not reach this address: set NO_PROXY=localhost,127.0.0.1 for that program.</source>
            <translation>{variables} 设为 {proxy}，但那里没有响应。Longread 会绕过它，而遵从它的程序到不了这个地址：请为该程序设置 NO_PROXY=localhost,127.0.0.1。</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>{variables} is set to {proxy}. Longread goes past it, but a program that obeys it sends what it asks there instead of here: set NO_PROXY=localhost,127.0.0.1 for that program.</source>
            <translation>{variables} 设为 {proxy}。Longread 会绕过它，而遵从它的程序会把请求发到那里而不是这里：请为该程序设置 NO_PROXY=localhost,127.0.0.1。</translation>
        </message>
        <message>
            <location filename="../../app/gateway_words.py" />
            <source>{variables} is set; NO_PROXY spares this computer, so programs reach this address directly.</source>
            <translation>已设置 {variables}；NO_PROXY 排除了这台电脑，因此程序可直接到达此地址。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>“{subject}” cannot be a server's name: letters, digits, dots, dashes and underscores, 40 at most, no slash.</source>
            <translation>“{subject}”不能作为服务器名称：只能用字母、数字、点、连字符和下划线，最多 40 个，不能有斜杠。</translation>
        </message>
        <message>
            <location filename="../../app/remote_words.py" />
            <source>“{subject}” is no address of a server. It looks like http://host:8000 or https://host/v1; a key does not belong into it.</source>
            <translation>“{subject}”不是服务器地址。地址形如 http://host:8000 或 https://host/v1；其中不应包含密钥。</translation>
        </message>
    </context>
</TS>
