// The official client for Node, as it comes, against `longread serve`: run by node_client.py.
import assert from "node:assert/strict";
import OpenAI from "openai";

const [address, apiKey] = process.argv.slice(2);
const messages = [{ role: "user", content: "What is the capital of France? Answer in one sentence." }];
const asked = { model: "longread", messages, max_tokens: 12, temperature: 0 };
const client = (baseURL, key = apiKey) => new OpenAI({ baseURL, apiKey: key, maxRetries: 0 });
const ours = client(`${address}/v1`);
const fails = (kind, work) => assert.rejects(work, (error) => error instanceof kind);

const checks = {
  "every form of the base address": async () => {
    for (const base of ["", "/v1", "/api", "/api/v1"]) {
      const models = await client(address + base).models.list();
      assert(models.data.some((model) => model.id === "longread"));
    }
  },
  "in pieces as whole": async () => {
    const whole = await ours.chat.completions.create(asked);
    assert.match(whole.choices[0].message.content, /Paris/);
    let said = "";
    let usage = null;
    const stream = await ours.chat.completions.create({
      ...asked, stream: true, stream_options: { include_usage: true },
    });
    for await (const chunk of stream) {
      said += chunk.choices[0]?.delta?.content ?? "";
      usage = chunk.usage ?? usage;
    }
    assert.equal(said, whole.choices[0].message.content);
    assert.equal(usage.prompt_tokens, whole.usage.prompt_tokens);
    assert(usage.prompt_tokens_details.cached_tokens > 0);
  },
  "the stream's own collector": async () => {
    const final = await ours.chat.completions.stream(asked).finalChatCompletion();
    assert.match(final.choices[0].message.content, /Paris/);
  },
  "a plain prompt": async () => {
    const said = await ours.completions.create({ model: "longread", prompt: "The capital of France is", max_tokens: 3 });
    assert.match(said.choices[0].text, /Paris/);
  },
  "stop": async () => {
    const said = await ours.chat.completions.create({ ...asked, stop: ["Paris"] });
    assert.equal(said.choices[0].finish_reason, "stop");
    assert.doesNotMatch(said.choices[0].message.content, /Paris/);
  },
  "a wrong key": () => fails(OpenAI.AuthenticationError, client(address, "sk-wrong").models.list()),
  // Node takes a line end off a header's value, so a key that was pasted with one works
  "a key with a line end": async () => assert((await client(address, `${apiKey}\n`).models.list()).data.length > 0),
  "an unknown model": () => fails(OpenAI.NotFoundError, ours.chat.completions.create({ ...asked, model: "gpt-4o" })),
  "a parameter that is not honoured": () =>
    fails(OpenAI.BadRequestError, ours.chat.completions.create({ ...asked, frequency_penalty: 1 })),
  "too long": () =>
    fails(OpenAI.BadRequestError, ours.chat.completions.create({
      ...asked, messages: [{ role: "user", content: "word ".repeat(9000) }],
    })),
  "who goes away is not written for": async () => {
    const stream = await ours.chat.completions.create({ ...asked, max_tokens: 5000, stream: true });
    for await (const _ of stream) break;
    const next = await ours.chat.completions.create({ ...asked, max_tokens: 1 });
    assert.equal(next.usage.completion_tokens, 1);
  },
};

for (const [name, check] of Object.entries(checks)) {
  await check();
  console.log(`ok  ${name}`);
}
