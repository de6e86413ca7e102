// An ACP client on the protocol's TypeScript library: drives the agent through one conversation and prints what it saw.
// Usage: node editor.mjs LIBRARY WORKSPACE COMMAND [ARGUMENT...]
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";

const [library, workspace, command, ...args] = process.argv.slice(2);
const acp = await import(pathToFileURL(library).href);
const seen = { updates: [], asked: [], aborted: 0, forms: 0 };
let answer = "allow_once";
let waiting = null;

const app = acp
  .client({ name: "editor" })
  .onNotification(acp.methods.client.session.update, ({ params }) => {
    seen.updates.push(params.update);
  })
  .onRequest(acp.methods.client.session.requestPermission, ({ params, signal }) => {
    seen.asked.push({ title: params.toolCall.title, kinds: params.options.map((option) => option.kind) });
    if (answer) return { outcome: { outcome: "selected", optionId: answer } };
    waiting?.();
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => {
        seen.aborted += 1;
        resolve({ outcome: { outcome: "cancelled" } });
      });
    });
  })
  .onRequest(acp.methods.client.elicitation.create, () => {
    seen.forms += 1;
    return { action: "accept", content: { q1: "blue" } };
  });

const agent = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const stream = acp.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout));
const report = await app.connectWith(stream, async (ctx) => {
  const m = acp.methods.agent;
  const hello = await ctx.request(m.initialize, {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientCapabilities: { elicitation: { form: {} } },
  });
  const opened = await ctx.request(m.session.new, { cwd: workspace, mcpServers: [] });
  const { sessionId } = opened;
  const prompt = (script) =>
    ctx.request(m.session.prompt, {
      sessionId,
      prompt: [{ type: "text", text: `[[${script}]] cwd=${workspace} please` }],
    });

  const allowed = await prompt("shell");
  const first = seen.updates.splice(0);
  const questioned = await prompt("ask");

  answer = null;
  const asked = new Promise((resolve) => (waiting = resolve));
  const turn = prompt("shell");
  await asked;
  const before = Date.now();
  await ctx.notify(m.session.cancel, { sessionId });
  const cancelled = await turn;
  const cancelMs = Date.now() - before;

  const moded = await ctx.request(m.session.setMode, { sessionId, modeId: "plan" });
  await ctx.request(m.session.close, { sessionId });
  const listed = await ctx.request(m.session.list, { cwd: workspace });
  seen.updates.splice(0);
  const loaded = await ctx.request(m.session.load, { sessionId, cwd: workspace, mcpServers: [] });
  return {
    version: hello.protocolVersion,
    modes: opened.modes.availableModes.map((mode) => mode.id),
    options: opened.configOptions.map((option) => option.id),
    allowed, questioned, cancelled, cancelMs, moded,
    first: first.map((update) => update.sessionUpdate),
    listed: listed.sessions.map((session) => session.sessionId === sessionId),
    loadedMode: loaded.modes.currentModeId,
    replayed: seen.updates.map((update) => update.sessionUpdate),
    asked: seen.asked, aborted: seen.aborted, forms: seen.forms,
  };
});
agent.stdin.end();
const code = await new Promise((resolve) => agent.on("exit", resolve));
console.log(JSON.stringify({ ...report, code }));
process.exit(0);
