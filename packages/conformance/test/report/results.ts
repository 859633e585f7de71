import type { Evidence } from '../../src/report/evidence.ts'
import type { Verdict } from '../../src/report/report.ts'
import {
  type BaselinedFinding,
  type Finding,
  NOTHING_UNKNOWN,
  type Result,
  type RuleResult,
} from '../../src/report/result.ts'

/** Text with which a service could attack a reader of the report. */
export const HOSTILE = [
  '<script>alert(1)</script><img src=https://elsewhere.example/x onerror=alert(1)>',
  '"\'>]]>--><!--&amp;</style></pre>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a CI system would fill in
  '``` | **bold** [link](https://elsewhere.example) @someone {0} ${{ secrets.TOKEN }}',
  '\u001b[2J\u001b]0;title\u0007\u0000\u202egnp.exe\ufffe\ud800 # : - ? !!js/function',
  'Fulano: "de Tal"\r\nsecond: line\n---\n</details>',
  '##[set-output name=a]b\r::add-mask::1 ::error file=a::b',
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
    id: 'responses-shape:checkKey:3a91c0',
    rule: 'responses-shape',
    operation: 'checkKey',
    kind: 'failure',
    severity: 'error',
    cites: { pointer: '/components/schemas/KeyCheck/properties/ispb' },
    message: '/ispb: expected string, got nothing.',
    advice: 'Return every field that the contract requires.',
    contract: '/components/schemas/KeyCheck/properties/ispb',
    question: undefined,
    evidence: EVIDENCE,
    count: 3,
    ...other,
  }
}

/** A deviation from an assumption. */
export function deviation(other: Partial<Finding> = {}): Finding {
  return finding({
    id: 'refusals-invalid:checkKey:77d2e4',
    rule: 'refusals-invalid',
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

/** A failure that the baseline accepts. */
export function known(other: Partial<BaselinedFinding> = {}): BaselinedFinding {
  return { ...finding(other), until: '2099-12-31', why: 'Fixed in the next release.', ...other }
}

export function rule(
  rule: string,
  status: RuleResult['status'] = 'passed',
  cases = 10,
): RuleResult {
  const [subject = ''] = rule.split('-', 1)
  return {
    rule,
    says: `It says ${rule}.`,
    advice: `Look at ${rule}.`,
    subject,
    status,
    cases,
    ms: 12,
  }
}

function verdict(other: Partial<Verdict>): Verdict {
  return {
    question: 'key-kinds',
    text: 'Which kinds of keys are there?',
    assumption: 'The five of the DICT.',
    basis: 'standard',
    verdict: 'confirmed',
    seen: undefined,
    exercised: 4,
    statements: [],
    unsettled: [],
    values: [],
    ...other,
  }
}

/** A run without findings; some fields can be changed. */
export function result(other: Partial<Result> = {}): Result {
  return {
    target: 'sandbox',
    url: 'http://127.0.0.1:4020/',
    contract: { title: 'Partner payments', version: '0.1.0' },
    seed: 7,
    startedAt: '2026-11-21T23:30:00Z',
    ms: 8125,
    requests: 3000,
    cases: 12345,
    rules: [rule('responses-status')],
    findings: [],
    baselined: [],
    verdicts: [],
    sightings: [],
    coverage: { operations: [], rows: [] },
    notSent: [],
    form: [],
    leftovers: [],
    entriesWithoutCase: [],
    changedElsewhere: 0,
    forgotten: 0,
    unknown: NOTHING_UNKNOWN,
    signIn:
      'CREDENTIALS=$(printf %s "$CLIENT_KEY:$CLIENT_SECRET" | base64)\nTOKEN=$(curl "$CREDENTIALS")',
    ...other,
  }
}

/** A run with all kinds of results. */
export function fullResult(other: Partial<Result> = {}): Result {
  return result({
    rules: [
      rule('responses-status'),
      rule('responses-shape', 'failed', 1204),
      rule('refusals-invalid', 'failed'),
      rule('records-gone', 'inconclusive', 0),
      rule('deliveries-signed', 'not-assessed', 0),
    ],
    findings: [finding(), deviation()],
    baselined: [known({ id: 'f-known1', message: 'It was known that "branch" may be missing.' })],
    verdicts: [
      verdict({}),
      verdict({
        question: 'bounds',
        text: 'Which bounds do amounts have?',
        assumption: 'Ten digits before the decimals.',
        basis: 'assumed',
        verdict: 'contradicted',
        seen: 'An amount of twelve digits was accepted.',
        exercised: 2,
      }),
      verdict({ question: 'versioning', verdict: 'not-exercised', exercised: 0 }),
    ],
    coverage: {
      operations: [
        { operation: 'checkKey', successes: 12, requests: 40 },
        { operation: 'createTransfer', successes: 0, requests: 3 },
      ],
      rows: [
        { operation: 'checkKey', status: '200', mediaType: 'application/json', seen: 12 },
        { operation: 'checkKey', status: '429', mediaType: 'application/problem+json', seen: 0 },
      ],
    },
    ...other,
  })
}

/** Fields whose values neither a service nor a contract can control. */
const FIXED: ReadonlySet<string> = new Set([
  'target',
  'startedAt',
  'kind',
  'severity',
  'rule',
  'operation',
  'subject',
  'status',
  'basis',
  'verdict',
  'method',
  'mediaType',
])

/** Hostile text in every other place. The second finding is not hostile. */
export function hostileResult(): Result {
  const text = JSON.stringify(fullResult())
  const hostile: Result = JSON.parse(text, (name, value: unknown) => {
    const isFree = typeof value === 'string' && !FIXED.has(name)
    return isFree ? HOSTILE : value
  })
  const [evil = finding()] = hostile.findings
  const verdicts = hostile.verdicts.filter(({ verdict }) => verdict === 'contradicted')
  return { ...hostile, verdicts, findings: [evil, finding()], notSent: [HOSTILE] }
}

/** A run with this many findings of ten rules, a fifth of them deviations. */
export function manyFindings(amount: number): Result {
  const rules = Array.from({ length: 10 }, (_, index) => rule(`rule-${index}`, 'failed'))
  const findings = Array.from({ length: amount }, (_, index) => {
    const isFailure = index < amount * 0.8
    const make = isFailure ? finding : deviation
    const operation = index % 2 === 1 ? 'checkKey' : 'createTransfer'
    return make({
      id: `f-${index}`,
      rule: `rule-${index % 10}`,
      operation,
      message: `Message ${index}.`,
    })
  })
  return result({ rules, findings })
}
