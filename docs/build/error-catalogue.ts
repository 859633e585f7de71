import type { Refusal } from '@partner-payments/spec/behaviour'
import { type BehaviourInput, errorLink, sourceMark } from './source.ts'
import { jsonBlock, prose, table } from './text.ts'

/** The error catalogue as Markdown: a table of all codes, then a section for each, whose anchor is the code. */
export function errorCatalogue({ behaviour, facts }: BehaviourInput): string {
  const all = Object.entries(behaviour.refusals ?? {}).sort(byStatus)
  const index = all.map(([code, refusal]) => [
    `${errorLink(code)}`,
    statusesOf(refusal).join(', '),
    prose(refusal.when),
  ])
  return [
    'Every error response is a problem details object (RFC 9457). Branch on `code`, show `detail` to people, and keep `request_id` for questions to the service. {{assumption:errors}}',
    table(['Code', 'Status', 'When'], index),
    ...all.map(([code, refusal]) => sectionOf(code, refusal, sourceMark(refusal, facts))),
  ].join('\n\n')
}

function sectionOf(code: string, refusal: Refusal, mark: string): string {
  const { when, fix, repeat = 'after-change', responses = [], variants = [] } = refusal
  const lines = [
    `## ${code} {#${code}}`,
    `${prose(when)} ${mark}`,
    `**What to do.** ${prose(fix)}`,
    `**Send it again?** ${REPEAT[repeat]}`,
    ...responses.map(({ status, operations }) => `**${status}** from ${operationsText(operations)}`),
    variants.length > 0
      ? `**For example** ${[...new Set(variants.map(({ says }) => says))].join('; ')}.`
      : '',
    exampleOf(responses[0]?.example),
  ]
  return lines.filter(Boolean).join('\n\n')
}

const REPEAT = {
  never: 'No. The same request will be refused again.',
  'after-change': 'Yes, after you change the request or what it depends on.',
  later: 'Yes, later and unchanged.',
  'later-unless-once': 'Yes, later and unchanged, unless the operation has the effect `once`.',
} as const

/** More operations than this are not listed one by one. */
const MANY = 12

function operationsText(operations: readonly string[]): string {
  const links = operations.map((id) => `{{operation:${id}}}`).join(', ')
  if (operations.length <= MANY) return `${links}.`
  return `${operations.length} operations:\n\n<details><summary>all of them</summary>\n\n${links}\n\n</details>`
}

function exampleOf(example: unknown): string {
  return example === undefined ? '' : jsonBlock(example)
}

function statusesOf({ responses = [] }: Refusal): number[] {
  return responses.map(({ status }) => status)
}

function byStatus([a, one]: [string, Refusal], [b, other]: [string, Refusal]): number {
  return (statusesOf(one)[0] ?? 0) - (statusesOf(other)[0] ?? 0) || a.localeCompare(b)
}
