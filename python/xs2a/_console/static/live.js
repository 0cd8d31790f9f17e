// Shows new entries as they come, and copies texts. Without it the pages show the state at the time of loading.
"use strict";

const live = document.getElementById("live");
const sign = document.getElementById("live-sign");

if (live && window.EventSource) {
  let waiting = false;

  const refresh = async () => {
    waiting = false;
    // What has the focus is not taken away; the next entry tries again.
    if (live.contains(document.activeElement) || document.hidden) return;
    const answer = await fetch(location.href, { credentials: "same-origin" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = page.getElementById("live");
    if (next) live.replaceChildren(...next.childNodes);
  };

  const soon = () => {
    if (!waiting) {
      waiting = true;
      setTimeout(() => refresh().catch(() => undefined), 400);
    }
  };

  const events = new EventSource("/events");
  events.addEventListener("entry", soon);
  events.addEventListener("open", () => {
    if (sign) {
      sign.hidden = false;
      sign.dataset.on = "";
    }
    soon(); // what came since the page was made, or while the connection was lost
  });
  events.addEventListener("error", () => sign && delete sign.dataset.on);
  document.addEventListener("visibilitychange", soon);
  addEventListener("pagehide", () => events.close());
}

for (const button of document.querySelectorAll("button[data-copies]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
    button.textContent = button.dataset.done;
  });
}
