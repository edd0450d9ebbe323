// Runs before the first paint, while the scripts are loaded. A separate file, because the content security policy
// forbids inline scripts.
(() => {
  const page = document.documentElement;
  const stored = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };

  // The color scheme, so that a dark page does not flash white.
  const scheme = stored('mantine-color-scheme-value');
  const isDark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  page.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');

  // The language that was chosen in this browser, or the first of the browser's languages that the console has.
  const wanted = [stored('store-sales-language'), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  page.lang = wanted.find((language) => language === 'en' || language === 'ru') ?? 'en';

  // The texts and the first screen are loaded beside the scripts that ask for them. The build names their files.
  const files = JSON.parse(document.currentScript.dataset.files ?? '{}');
  const path = location.pathname.replace(/^\/console|\/$/g, '');
  const opensStore = /^\/stores\/[^/]+$/.test(path) || (path === '' && stored('store-sales-store'));
  const screen = opensStore ? 'home' : path === '' || path === '/sign-in' ? 'sign-in' : '';
  for (const file of [...(files[page.lang] ?? []), ...(files[screen] ?? [])]) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href: file });
    document.head.append(link);
  }
})();
