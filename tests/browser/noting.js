// What a page hears, shows and keeps is noted by the page itself: streams have no end that could be waited for, and a card
// that is shown for one moment is shown.
(() => {
  const CARD = /"(?:[CROW]-\d+|\d+-\d+|PRINCE|PAUPER)"/g;
  const noted = { heard: [], shown: [], version: 0 };
  window.noted = noted;

  const hear = (path, text, streamed) => {
    const versions = [...text.matchAll(/"version": ?(\d+)/g)].map((found) => Number(found[1]));
    // Of what has no version the newest is meant; an answer may come before the messages that lead to it.
    const version = versions.length ? Math.max(...versions) : noted.version;
    noted.version = Math.max(noted.version, version);
    const cards = [...new Set(text.match(CARD) ?? [])];
    if (cards.length) noted.heard.push({ path, streamed, version, cards, when: new Date().toISOString() });
  };

  const ask = window.fetch;
  window.fetch = async (...given) => {
    const answer = await ask(...given);
    const path = new URL(answer.url).pathname;
    // The catalogue has cards as examples, the same for everybody.
    if (!answer.body || path.startsWith("/v1/games/")) return answer;
    const streamed = answer.headers.get("Content-Type")?.startsWith("text/event-stream") ?? false;
    const [kept, passed] = answer.body.tee();
    (async () => {
      const reader = kept.getReader(), decoder = new TextDecoder();
      let text = "";
      for (let part; !(part = await reader.read()).done;) {
        text += decoder.decode(part.value, { stream: true });
        if (!streamed) continue;
        const messages = text.split("\n\n");
        text = messages.pop();
        for (const message of messages) hear(path, message, streamed);
      }
      hear(path, text, streamed);
    })().catch(() => {});
    return new Response(passed, answer);
  };

  const look = () => {
    const version = Number(document.querySelector(".match")?.dataset.version ?? 0);
    const cards = [...new Set((document.documentElement.outerHTML + JSON.stringify({ ...localStorage }).replaceAll('\\"', '"')).match(CARD) ?? [])];
    const last = noted.shown[noted.shown.length - 1];
    if (last?.version !== version || last.cards.join() !== cards.join()) noted.shown.push({ version, cards, when: new Date().toISOString() });
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
})();
