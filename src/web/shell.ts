/** Markup of every view, before the page's program fills it. It holds nothing of a repository, so anybody may see it. */

/** `folder`: where the page's files are. */
export function shell(folder: string): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<link rel="icon" href="data:,">',
    '<title>git socraticode</title>',
    `<link rel="stylesheet" href="${folder}/web/page/page.css">`,
    `<script type="module" src="${folder}/web/page/main.js"></script>`,
    '</head>',
    '<body>',
    '<noscript>This page needs JavaScript, which only comes from this server.</noscript>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** Headers of every response. Nothing is loaded from elsewhere, nothing inline runs, and no page frames this one. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src data: 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html worker',
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};
