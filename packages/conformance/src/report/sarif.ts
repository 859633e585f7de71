import type {
  Invocation,
  Location,
  Log,
  MultiformatMessageString,
  ReportingDescriptor,
  Run,
  Result as SarifResult,
} from 'sarif'
import { buildPageUrl, describeAcceptance, describeCitation } from './findings.ts'
import type { Finding, Result, RuleResult } from './result.ts'
import {
  chooseExitCode,
  isFailing,
  type Location as Place,
  type ReportOptions,
  writeStatus,
} from './summary.ts'
import { visible } from './text.ts'

const SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/** Severity scores of GitHub code scanning, where 9.0 and above is critical. */
const SCORES = { critical: 9.5, error: 7.5, warning: 5, note: 2 } as const

/**
 * Renders a result as SARIF 2.1.0. Each result is located at the line of the contract (3.28), with
 * the id of the finding as its fingerprint (3.27.17). Findings in the baseline are suppressed.
 */
export function renderSarif(result: Result, options: ReportOptions = {}): string {
  const { target, url, seed, cases, rules, findings, baselined } = result
  const { version, failOn } = options
  const run: Run = {
    tool: {
      driver: {
        name: 'partner-payments-check',
        ...(version ? { version, semanticVersion: version } : {}),
        rules: rules.map((rule) => describeRule(rule, result, options)),
      },
    },
    automationDetails: { id: `conformance/${target}` },
    columnKind: 'utf16CodeUnits',
    invocations: [describeInvocation(result, options)],
    results: [...findings, ...baselined].map((finding) =>
      describeFinding(finding, result, options),
    ),
    properties: { url, seed, failOn, cases },
  }
  const log: Log = { $schema: SCHEMA, version: '2.1.0', runs: [run] }
  // Escapes what JSON leaves as it is, such as controls of the reading direction. The values stay
  // the same.
  return `${visible(JSON.stringify(log, null, 2))}\n`
}

/** Builds the SARIF object of a rule (3.49), with the score of its most severe finding. */
function describeRule(
  { rule, says, advice, subject }: RuleResult,
  { findings }: Result,
  options: ReportOptions,
): ReportingDescriptor {
  const page = buildPageUrl(rule, options)
  const sentences = [says, advice].filter((text) => text !== '')
  const paragraphs = page ? [...sentences, `Page: ${page}`] : sentences
  const score = findHighestScore(findings.filter((finding) => finding.rule === rule))
  return {
    id: rule,
    shortDescription: toMessage(says),
    fullDescription: toMessage(sentences.join(' ')),
    help: toMessage(paragraphs.join('\n\n')),
    ...(page && { helpUri: page }),
    properties: {
      tags: ['contract', subject],
      // Code scanning reads the score from the rule, so the most severe finding decides.
      ...(score && { 'security-severity': score }),
    },
  }
}

/** The score of the most severe finding: `9.5`. Undefined if there are no findings. */
function findHighestScore(findings: readonly Finding[]): string | undefined {
  if (findings.length === 0) return undefined
  const scores = findings.map(({ severity }) => SCORES[severity])
  return Math.max(...scores).toFixed(1)
}

/**
 * Builds the SARIF object of the run (3.20). SARIF has no result for a rule that judged nothing, so that
 * such rules become notifications.
 */
function describeInvocation(result: Result, options: ReportOptions): Invocation {
  const started = Date.parse(result.startedAt)
  const rulesWithoutCase = result.rules.filter(
    ({ status }) => status !== 'passed' && status !== 'failed',
  )
  return {
    executionSuccessful: result.interrupted === undefined,
    exitCode: chooseExitCode(result, options),
    exitCodeDescription: result.interrupted,
    startTimeUtc: new Date(started).toISOString(),
    endTimeUtc: new Date(started + result.ms).toISOString(),
    toolExecutionNotifications: rulesWithoutCase.map(({ rule: id, status }) => ({
      level: 'note',
      associatedRule: { id },
      message: toMessage(writeStatus(status)),
    })),
  }
}

/** Builds the SARIF object of a finding (3.27). A finding that the baseline accepts is suppressed. */
function describeFinding(finding: Finding, { rules }: Result, options: ReportOptions): SarifResult {
  const { severity, evidence } = finding
  const isError = severity === 'critical' || isFailing(finding, options)
  const accepted = describeAcceptance(finding)
  return {
    ruleId: finding.rule,
    ruleIndex: rules.findIndex(({ rule }) => rule === finding.rule),
    level: isError ? 'error' : severity,
    kind: 'fail',
    message: toMessage(
      `${finding.message} ${finding.advice} Cites ${describeCitation(finding, options)}.`,
    ),
    locations: [describeLocation(finding, options)],
    partialFingerprints: { 'finding/v1': finding.id },
    occurrenceCount: finding.count,
    properties: {
      kind: finding.kind,
      severity,
      operation: finding.operation,
      question: finding.question,
      cites: finding.cites,
      contract: finding.contract,
      curl: evidence.curl,
      status: evidence.status,
    },
    ...(accepted && { suppressions: [{ kind: 'external', justification: visible(accepted) }] }),
  }
}

/** Where the contract begins, for what no reader has located. GitHub refuses a result without a file. */
const START_OF_CONTRACT: Place = { file: 'spec/openapi.yaml', line: 1 }

/**
 * Builds the SARIF location of a finding: the file and the line of the contract that the finding is about,
 * and the JSON pointer of that place.
 */
function describeLocation(
  { contract: pointer, operation }: Finding,
  { locate, locateAnywhere }: ReportOptions,
): Location {
  const logicalLocation = {
    // A finding without a place is about the whole contract.
    fullyQualifiedName: pointer || '/',
    ...(operation ? { name: operation } : {}),
  }
  // GitHub has the files of the repository, also if they are not on this machine.
  const locateFile = locateAnywhere ?? locate
  const { file, line } = locateFile?.(pointer) ?? START_OF_CONTRACT
  const uri = file.split('/').map(encodeURIComponent).join('/')
  return {
    physicalLocation: { artifactLocation: { uri }, region: { startLine: line } },
    logicalLocations: [logicalLocation],
  }
}

/**
 * Escapes text that readers of SARIF take for placeholders (`{0}`, 3.11.5) or links (`[a](b)`, 3.11.6), so that they
 * show it as it is.
 */
function toMessage(text: string): MultiformatMessageString {
  return {
    text: visible(text)
      .replace(/\{(\d+)\}/g, '{{$1}}')
      .replaceAll('](', '\\]('),
  }
}
