import type { Result } from '../engine/result.ts'
import { firstToMend } from './groups.ts'
import { wrap } from './style.ts'
import { summaryOf } from './summary.ts'
import { heading, type Terminal } from './terminal-parts.ts'
import { oneLine } from './text.ts'

/** What to read last, where a long report ends: the sentence, where to begin, and what has more. */
export function endPart(result: Result, terminal: Terminal): string {
  const first = firstToMend(result.findings)
  if (!first) return terminal.html === undefined ? '' : htmlLine(terminal.html)
  return [
    heading('Begin here', terminal),
    wrap(summaryOf(result), terminal.width, ''),
    wrap(
      `First ${[first.rule, first.operation]
        .filter(Boolean)
        .map((it) => oneLine(it ?? ''))
        .join(' of ')}: ${oneLine(first.message)}`,
      terminal.width,
      '',
    ),
    `After mending: replay ${oneLine(first.id)}`,
    ...signInLines(result),
    ...(terminal.html === undefined ? [] : [htmlLine(terminal.html)]),
  ].join('\n')
}

/** How to get what the commands name, where a command that is shown names it. */
function signInLines({ signIn, findings }: Result): string[] {
  const isNamed = findings.some(({ evidence }) => /\$(?:TOKEN|CREDENTIALS)/.test(evidence.curl))
  return signIn === undefined || !isNamed
    ? []
    : ['For $TOKEN and $CREDENTIALS of the commands:', ...signIn.split('\n').map((it) => `  ${oneLine(it)}`)]
}

function htmlLine(file: string): string {
  return `All of it as a page: ${oneLine(file)}`
}
