import type { HeadConfig, TransformContext } from 'vitepress'
import { address, base } from './address.ts'
import { CONTENT_POLICY } from './content-policy.ts'

export const TITLE = 'Partner payments'

/** Before a page is drawn. */
const SHOW_ASSUMPTIONS = `document.documentElement.classList.toggle('show-assumptions', localStorage.getItem('show-assumptions') === 'yes')`

/** What the head of every page has. */
export const HEAD: HeadConfig[] = [
  ['meta', { 'http-equiv': 'Content-Security-Policy', content: CONTENT_POLICY }],
  ['link', { rel: 'icon', href: `${base}logo.svg`, type: 'image/svg+xml' }],
  ['script', {}, SHOW_ASSUMPTIONS],
]

/** What the head of one page has, for search engines and for links that people share. */
export function createPageHead({ page, title, description }: TransformContext): HeadConfig[] {
  const tags = [
    meta('title', title),
    meta('description', description),
    meta('type', 'website'),
    meta('site_name', TITLE),
  ]
  if (address) tags.push(...canonical(page))
  return tags
}

function meta(name: string, content: string): HeadConfig {
  return ['meta', { property: `og:${name}`, content }]
}

function canonical(page: string): HeadConfig[] {
  const path = page.replace(/\.md$/, '.html').replace(/(^|\/)index\.html$/, '$1')
  const { href } = new URL(path, address)
  return [['link', { rel: 'canonical', href }], meta('url', href)]
}
