// The toy bank's page for strong customer authentication: where an `scaRedirect` leads.
//
// It does NOT authenticate: the user of the link states who they are. A bank replaces this page by its own site, which
// has the bank's login and calls the same two functions of the engine.

#ifndef SCA_H
#define SCA_H

#include "http.h"

// Answers `GET` and `POST` for the authorisation `id`. True: it was completed, and something may be due.
bool sca_answer(const xs2a_engine *engine, const xs2a_request *request, xs2a_str id, reply *reply);

#endif
