import { type Theme, useData, withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { defineComponent, h } from 'vue'
import QuestionFilter from './QuestionFilter.vue'
import { withSearchOrder } from './search.ts'
import './style.css'
import '../../build/browser/marks.css'

/** `assumptions.js` does what the button says, here and on the pages that VitePress does not make. */
const AssumptionsSwitch = () =>
  h('button', { type: 'button', class: 'assumptions-switch', 'data-assumptions': '' }, 'Show assumptions')

const MarkdownLink = defineComponent(() => {
  const { page } = useData()
  return () =>
    h('p', { class: 'as-markdown' }, [
      h('a', { href: withBase(`/${page.value.relativePath}`), target: '_self' }, 'This page as Markdown'),
    ])
})

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'nav-bar-content-after': AssumptionsSwitch,
      'nav-screen-content-after': AssumptionsSwitch,
      'doc-footer-before': () => h(MarkdownLink),
    }),
  enhanceApp({ app, siteData }) {
    app.component('QuestionFilter', QuestionFilter)
    siteData.value = withSearchOrder(siteData.value)
  },
} satisfies Theme
