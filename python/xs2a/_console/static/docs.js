// Shows one of the two documents; the renderer is loaded before.
"use strict";

const shown = document.getElementById("document");
if (shown && window.SwaggerUIBundle) {
  // No validator of others is asked, and nothing is sent: calls of the bank must be signed.
  SwaggerUIBundle({
    domNode: shown, url: shown.dataset.url, validatorUrl: null, supportedSubmitMethods: [], docExpansion: "list",
    defaultModelsExpandDepth: 0,
  });
}
