import { createHash } from 'node:crypto'
import type { Result } from '../engine/result.ts'
import { coverageSection } from './html-coverage.ts'
import { findingsSection } from './html-findings.ts'
import { rulesSection } from './html-rules.ts'
import { SCRIPT } from './html-script.ts'
import { STYLE } from './html-style.ts'
import { verdictsSection } from './html-verdicts.ts'
import type { Locate } from './locate.ts'
import { type Markup, markup, raw } from './markup.ts'
import { countsOf, endOf, summaryOf } from './summary.ts'
import { count, duration, number } from './text.ts'

/**
 * A run as one HTML file, which asks for nothing elsewhere: its policy (CSP 3) admits its own style and script only,
 * by their hashes. Every text of the service stays text.
 *
 * @example
 * writeFileSync('report.html', renderHtml(result))
 */
export function renderHtml(result: Result, { locate }: { readonly locate?: Locate } = {}): string {
  const title = `${result.contract.title}: ${result.target}`
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
</head>
<body>
${headOf(result)}
<main>
${findingsSection(result, locate)}
${rulesSection(result)}
${verdictsSection(result)}
${coverageSection(result)}
</main>
<script>${raw(SCRIPT)}</script>
</body>
</html>
`.html
}

const POLICY = [
  "default-src 'none'",
  `style-src '${hashOf(STYLE)}'`,
  `script-src '${hashOf(SCRIPT)}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

const TONES = { fine: 'verdict-good', failed: 'verdict-bad', interrupted: 'verdict-warn' } as const

function headOf(result: Result): Markup {
  const { contract, startedAt, seed, shard, strict, requests, ms } = result
  const facts = [
    `${contract.title} ${contract.version}`,
    startedAt,
    `${count(requests, 'request')} in ${duration(ms)}`,
    `seed ${seed}`,
    shard && `shard ${shard}`,
    strict ? 'strict' : undefined,
  ]
  return markup`<header>
<h1 class="${TONES[endOf(result)]}">${summaryOf(result)}</h1>
<p class="soft">${facts.filter(Boolean).join(' · ')}</p>
<dl class="figures">${figuresOf(result)}</dl>
${contentsOf(result)}
</header>`
}

function contentsOf({ findings, verdicts }: Result): Markup {
  const sections = [
    ['findings', `Findings (${number(findings.length)})`],
    ['rules', 'Rules'],
    ...(verdicts.length > 0 ? [['questions', 'Open questions']] : []),
    ['coverage', 'Coverage'],
  ]
  return markup`<nav aria-label="Contents">${sections.map(([id = '', text = '']) => markup`<a href="#${id}">${text}</a> `)}</nav>`
}

function figuresOf(result: Result): Markup[] {
  const { failures, deviations, baselined, passed, failed, notAssessed, inconclusive } = countsOf(result)
  const figures = [
    ['Failures', failures],
    ['Deviations', deviations],
    ['Known', baselined],
    ['Rules passed', passed],
    ['Rules broken', failed],
    ['Not assessed', notAssessed],
    ['Cases', result.cases],
    ['Cases masked', inconclusive],
  ] as const
  return figures.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${number(value)}</dd></div>`)
}
