/** What `--help` prints. */
export const help = `partner-payments-check: does a running service keep its contract, and what does it reveal?

  partner-payments-check --target URL [flags]      check a service
  partner-payments-check replay ID --target URL    does this finding still show?
  partner-payments-check har FILE [--target URL]   judge recorded traffic (HAR 1.2), sending nothing
  partner-payments-check prove --target URL [--sample N]   how many planted faults would this configuration catch? (300)
  partner-payments-check --list-rules               what a service is held to

What is checked
  --target URL           base URL of the service
  --kind KIND            mock, sandbox or live (live: careful; nothing is paid, what is created is removed)
  --spec FILE            a bundled OpenAPI 3.1 document, JSON or YAML (the partner payments contract)
  --client-key KEY       or CLIENT_KEY in the environment
  --client-secret SECRET or, better, CLIENT_SECRET
  --other-key, --other-secret  of a second partner, whose records are not the first one's (OTHER_KEY, OTHER_SECRET)
  A contract that asks for a token, a bearer token or an API key, takes TOKEN from the environment alone, and
  OTHER_TOKEN of a second partner.
  --allow-payments --max-amount 1.00   let a live service pay, at most this in one transfer
  --receiver URL         where the service reaches this machine with its deliveries (a sandbox does so by itself)
  --receiver-port PORT   the port of this machine that it leads to (the one that the URL names)
  --delivery-within MS   time for a delivery that has to come (8000)

How much of it
  --only RULE|PHASE,...   these rules alone
  --operation ID,...     these operations alone: others are sent what prepares for them, and nothing is told of those
  --shard I/N            part I of N, for jobs side by side
  --time SECONDS         time for random cases (1)
  --seed N               the same seed makes the same cases (1)
  --rate N               requests a second at most (10 for live, else unlimited)
  --set OPERATION/POINTER=TEXT   a value for a request, := for JSON: --set createTransfer/amount=0.02

What counts
  --strict               deviations, departures from answers that the contract assumed, count as findings
  --baseline FILE        known findings, which pass until their day
  --write-baseline FILE --until DATE   write one of what was found
  --min-coverage N%      of everything, or of some: operations=100%,rows=60% (also kept, broken, members, links, rules)
  --response-within MS     an answer that takes longer is a deviation (not looked at)

What is told
  --report FORMAT=FILE,...   junit, sarif, jsonl, html, markdown, register, json
  --json                 the result as JSON on stdout
  --verbose              each rule and each finding, and what cases were masked for
  --help, --version

A flag that would do nothing is refused. A check takes all of these. replay and prove take what is said of the service,
with --time, --seed, --rate, --set, --response-within and --json; replay --strict besides, and prove --only, --operation,
--shard and --sample. har takes --target, --spec, --strict, what is said of baselines and coverage, --report, --json and
--verbose.

Exit codes: 0 no findings, 1 findings or too little coverage, 2 could not run, or not to its end, 130 interrupted, 143 after
SIGTERM (a first Ctrl-C removes what the run made and prints what it found; a second ends at once).
`
