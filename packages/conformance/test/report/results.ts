import type {
  BaselinedFinding,
  Evidence,
  Finding,
  Result,
  RuleResult,
  Verdict,
} from '../../src/engine/result.ts'

/** Text with which a service could attack a reader of the report. */
export const HOSTILE = [
  '<script>alert(1)</script><img src=https://elsewhere.example/x onerror=alert(1)>',
  '"\'>]]>--><!--&amp;</style></pre>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a CI system would fill in
  '``` | **bold** [link](https://elsewhere.example) @someone {0} ${{ secrets.TOKEN }}',
  '\u001b[2J\u001b]0;title\u0007\u0000\u202egnp.exe\ufffe\ud800 # : - ? !!js/function',
  'Fulano: "de Tal"\r\nsecond: line\n---\n</details>',
].join('\n')

const EVIDENCE: Evidence = {
  curl: 'curl -X POST -H "authorization: Bearer $TOKEN" http://127.0.0.1:4020/mobile-bff/v1/pix/dict/check/ -d \'{"dict_key":"beltrana@example.com"}\'',
  method: 'POST',
  path: '/mobile-bff/v1/pix/dict/check/',
  status: 200,
  request: '{"dict_key":"beltrana@example.com"}',
  response: '{"owner_name":"Beltrana de Tal"}',
  requestId: 'req_1',
}

/** A failure of checkKey; some fields can be changed. */
export function finding(other: Partial<Finding> = {}): Finding {
  return {
    id: 'f-3a91c0',
    rule: 'response-schema',
    operation: 'checkKey',
    kind: 'failure',
    severity: 'error',
    cites: { pointer: '/components/schemas/KeyCheck' },
    message: '"ispb" is required, and is absent.',
    advice: 'Return every field that the contract requires.',
    contract: '/components/schemas/KeyCheck/properties/ispb',
    question: undefined,
    evidence: EVIDENCE,
    count: 3,
    ...other,
  }
}

/** A failure that the baseline accepts. */
export function known(other: Partial<BaselinedFinding> = {}): BaselinedFinding {
  return { ...finding(other), until: '2099-12-31', why: 'Fixed in the next release.', ...other }
}

/** A deviation from an assumption. */
export function deviation(other: Partial<Finding> = {}): Finding {
  return finding({
    id: 'f-77d2e4',
    rule: 'limits',
    kind: 'deviation',
    severity: 'note',
    message: 'An amount of twelve digits was accepted.',
    advice: 'Settle the question, or refuse such an amount.',
    contract: '/components/schemas/Ispb',
    cites: { question: 'bounds' },
    question: 'bounds',
    count: 1,
    ...other,
  })
}

/** A rule that passed in all of its ten cases. */
export function rule(other: Partial<RuleResult> = {}): RuleResult {
  return {
    rule: 'status-declared',
    title: 'A returned status is declared.',
    question: undefined,
    phase: 'examples',
    status: 'passed',
    reason: undefined,
    cases: 10,
    inconclusive: 0,
    ms: 12.4,
    ...other,
  }
}

/** A confirmed assumption. */
export function verdict(other: Partial<Verdict> = {}): Verdict {
  return {
    question: 'key-kinds',
    text: 'Which kinds of keys are there?',
    assumption: 'The five of the DICT.',
    basis: 'standard',
    verdict: 'confirmed',
    seen: undefined,
    exercised: 4,
    by: ['invariants'],
    ...other,
  }
}

/** A run without findings; some fields can be changed. */
export function result(other: Partial<Result> = {}): Result {
  return {
    target: 'sandbox',
    url: 'http://127.0.0.1:4020',
    contract: { title: 'Partner payments', version: '0.1.0' },
    seed: 7,
    shard: undefined,
    startedAt: '2026-11-21T23:30:00Z',
    ms: 8125,
    requests: 13000,
    cases: 12345,
    rules: [rule()],
    findings: [],
    baselined: [],
    verdicts: [],
    coverage: { operations: [], rows: [], keywords: [], fields: [], links: [] },
    ...other,
  }
}

/** A run with all kinds of results. */
export function fullResult(other: Partial<Result> = {}): Result {
  return result({
    rules: [
      rule(),
      rule({ rule: 'response-schema', title: 'An response fits its schema.', status: 'failed', cases: 1204 }),
      rule({
        rule: 'limits',
        title: 'Bounds are kept.',
        phase: 'boundaries',
        status: 'failed',
        inconclusive: 2,
      }),
      rule({
        rule: 'record-changes',
        title: 'What is deleted is gone.',
        phase: 'records',
        status: 'not-assessed',
        reason: 'every case was inconclusive: the valid request was refused too',
        cases: 5,
        inconclusive: 5,
      }),
      rule({
        rule: 'retry-after-500',
        title: 'A delivery that was refused comes again.',
        phase: 'deliveries',
        status: 'not-assessed',
        reason: 'The mock sends no deliveries.',
        cases: 0,
        ms: 0,
      }),
    ],
    findings: [finding(), deviation()],
    baselined: [known({ id: 'f-known1', message: 'It was known that "branch" may be missing.' })],
    verdicts: [
      verdict(),
      verdict({
        question: 'bounds',
        text: 'Which bounds do amounts have?',
        assumption: 'Ten digits before the decimals.',
        basis: 'assumed',
        verdict: 'contradicted',
        seen: 'An amount of twelve digits was accepted.',
        exercised: 2,
      }),
      verdict({
        question: 'versioning',
        text: 'How are versions kept compatible?',
        verdict: 'not-exercised',
        exercised: 0,
        by: [],
      }),
    ],
    coverage: {
      operations: [
        { operation: 'checkKey', successes: 12, requests: 40 },
        { operation: 'createTransfer', successes: 0, requests: 3 },
      ],
      rows: [
        { operation: 'checkKey', status: '200', mediaType: 'application/json', seen: 12 },
        { operation: 'checkKey', status: '429', mediaType: 'application/problem+json', seen: 0 },
        { operation: 'createTransfer', status: '201', mediaType: 'application/json', seen: 0 },
      ],
      keywords: [
        {
          contract: '/components/schemas/CheckKeyRequest/required',
          keyword: 'required',
          accepted: 9,
          refused: 1,
        },
        { contract: '/components/schemas/Ispb', keyword: 'pattern', accepted: 2, refused: 0 },
      ],
      fields: [{ contract: '/components/schemas/KeyCheck/properties/ispb', seen: 12 }],
      links: [],
    },
    ...other,
  })
}

/** Hostile text in every place that a service or a contract can control. */
export function hostileResult(): Result {
  const evil = finding({
    id: HOSTILE,
    rule: HOSTILE,
    operation: HOSTILE,
    message: HOSTILE,
    advice: HOSTILE,
    contract: HOSTILE,
    question: HOSTILE,
    evidence: {
      ...EVIDENCE,
      curl: HOSTILE,
      path: HOSTILE,
      request: HOSTILE,
      response: HOSTILE,
      requestId: HOSTILE,
    },
  })
  return fullResult({
    url: HOSTILE,
    contract: { title: HOSTILE, version: HOSTILE },
    rules: [
      rule({
        rule: HOSTILE,
        title: HOSTILE,
        phase: HOSTILE,
        status: 'not-assessed',
        reason: HOSTILE,
        inconclusive: 1,
      }),
    ],
    findings: [evil, finding()],
    baselined: [{ ...evil, until: HOSTILE, why: HOSTILE }],
    verdicts: [
      verdict({
        question: HOSTILE,
        text: HOSTILE,
        assumption: HOSTILE,
        verdict: 'contradicted',
        seen: HOSTILE,
      }),
    ],
    coverage: {
      operations: [{ operation: HOSTILE, successes: 0, requests: 1 }],
      rows: [{ operation: HOSTILE, status: HOSTILE, mediaType: HOSTILE, seen: 0 }],
      keywords: [{ contract: HOSTILE, keyword: HOSTILE, accepted: 0, refused: 0 }],
      fields: [{ contract: HOSTILE, seen: 0 }],
      links: [{ contract: HOSTILE, followed: 0 }],
    },
  })
}

/** A run with this many findings of ten rules, a fifth of them deviations. */
export function manyFindings(amount: number): Result {
  const rules = Array.from({ length: 10 }, (_, index) => rule({ rule: `rule-${index}`, status: 'failed' }))
  const findings = Array.from({ length: amount }, (_, index) => {
    const make = index < amount * 0.8 ? finding : deviation
    return make({
      id: `f-${index}`,
      rule: `rule-${index % 10}`,
      operation: index % 2 ? 'checkKey' : 'createTransfer',
    })
  })
  return result({ rules, findings })
}
