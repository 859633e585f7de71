/**
 * `node answer/cli.ts FILE... [--only question,...] [--apply]` shows what follows from evidence for
 * each open question, as a diff of spec/, and makes the change with `--apply`.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SPEC } from '../build/build.ts'
import { type Answer, answer } from './answer.ts'
import { readEvidence } from './evidence.ts'

const USAGE = `Usage: pnpm answer FILE... [--only question,...] [--apply]

Shows what evidence of a real service changes in spec/, question by question. Write evidence with
\`pnpm check --target URL --report evidence=FILE\`, of a run, a HAR or the proxy.

  --only question,...  only these open questions
  --apply              make the changes
  --spec folder        another folder of a contract (default: spec)
`

process.exitCode = await main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  return 2
})

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      apply: { type: 'boolean', default: false },
      spec: { type: 'string', default: SPEC },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help || positionals.length === 0) {
    process.stdout.write(USAGE)
    return values.help ? 0 : 2
  }

  const evidence = readEvidence(positionals)
  const only = values.only?.split(',')
  const { answers, changed } = await answer({ spec: values.spec, evidence, only })
  process.stdout.write(`${answers.map(shown).join('\n')}\n`)

  if (values.apply) for (const [name, text] of changed) writeFileSync(join(values.spec, name), text)
  process.stderr.write(
    `${summaryOf(answers, evidence.kind)} ${nextStep(values.apply, changed.size)}\n`,
  )
  return 0
}

function shown({
  question,
  verdict,
  isAnswered,
  says,
  missing,
  left,
  places,
  diff,
}: Answer): string {
  const result = isAnswered ? 'observed' : 'stays a question'
  const lines = [`${question}: ${verdict}, ${result}`]
  for (const sentence of says) lines.push(`  seen     ${sentence}`)
  for (const observation of missing) lines.push(`  missing  ${observation}`)
  for (const { rule, message, count } of left)
    lines.push(`  left     ${message} (${rule}, ${count})`)
  for (const place of places) lines.push(`  edit     ${place}`)
  if (diff !== '') lines.push(diff.trimEnd())
  return `${lines.join('\n')}\n`
}

function summaryOf(answers: readonly Answer[], kind: string): string {
  const observed = answers.filter(({ isAnswered }) => isAnswered).length
  const evidence =
    kind === 'run' ? 'a run' : `recorded traffic (${kind}), which shows no more than was sent`
  return `${observed} of ${answers.length} questions are answered by ${evidence}.`
}

function nextStep(isApplied: boolean, files: number): string {
  if (files === 0) return 'Nothing changes.'
  if (!isApplied) return `${files} files would change; make the changes with --apply.`
  return `${files} files changed. Next: pnpm build, pnpm test, and check the service again.`
}
