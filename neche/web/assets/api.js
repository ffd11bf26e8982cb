// Requests to the server. All answers are JSON; a refusal becomes an Error with a one-line message.

let session = sessionStorage.getItem("neche-session") || "";

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function answer(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (fault) {
    if (fault.name === "AbortError") throw fault;
    throw new Refusal(0, "The server does not answer. Is neche serve still running?");
  }
  const isJson = (response.headers.get("content-type") || "").startsWith("application/json");
  const content = isJson ? await response.json() : { error: await response.text() };
  if (!response.ok) throw new Refusal(response.status, content.error || `error ${response.status}`);
  if (content.session) {
    session = content.session;
    sessionStorage.setItem("neche-session", session);
  }
  return content;
}

export const hasSession = () => session !== "";

const own = () => (session ? { "x-neche-session": session } : {});

// signal: of an AbortController, which cancels the request
export const get = (path, signal) => answer(path, { headers: own(), signal });

export const post = (path, message) =>
  answer(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...own() },
    body: JSON.stringify(message),
  });

// Whether no modifier key is held that gives the key a meaning in the browser, such as Alt+Left for the last page.
export const isPlain = (event) => !(event.altKey || event.ctrlKey || event.metaKey);

export const counted = (number, thing) => `${number.toLocaleString("en")} ${thing}${number === 1 ? "" : "s"}`;

export const byId = (id) => document.getElementById(id);

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "className") made.className = value;
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

export function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
