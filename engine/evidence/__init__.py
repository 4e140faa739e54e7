"""What the attention read while an answer was written, sentence by sentence: passages of the documents.

It is made from attention and self-information alone: the answer's words are never looked for in the documents. Only
tokens of documents are evidence, never the template's, a question's or an earlier answer's.
"""
