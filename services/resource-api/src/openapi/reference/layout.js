const isWide = matchMedia('(min-width: 70rem)');

/** Swagger UI plugin: the guide beside the operations (folded away above them on small screens), and short error rows. */
export function referenceLayout({ React }) {
  const element = React.createElement;

  function ReferenceLayout({ getComponent, errSelectors }) {
    const part = (name, isContainer) => element(getComponent(name, isContainer));
    return element(
      'div',
      { className: 'swagger-ui' },
      part('SvgAssets'),
      element('div', { className: 'columns' }, guide(part), operations(part, errSelectors.lastError())),
    );
  }

  function guide(part) {
    return element(
      'details',
      { className: 'guide', open: isWide.matches },
      element('summary', null, 'Guide: tokens, apps, pages, limits, errors'),
      part('InfoContainer', true),
    );
  }

  function operations(part, hasError) {
    return element(
      'div',
      { className: 'operations' },
      part('AuthorizeBtnContainer', true),
      hasError && part('errors', true),
      part('operations', true),
      part('Models', true),
    );
  }

  /** Every error has the same shape, so a row says its codes; the guide shows the rest once. */
  const ShortErrors = (Response) => (props) => {
    if (Number(props.code) < 400) return element(Response, props);
    const Markdown = props.getComponent('Markdown', true);
    return element(
      'tr',
      { className: `response ${props.className}`, 'data-code': props.code },
      element('td', { className: 'response-col_status' }, props.code),
      element(
        'td',
        { className: 'response-col_description' },
        element(Markdown, { source: props.response.get('description') }),
      ),
    );
  };

  return { components: { ReferenceLayout }, wrapComponents: { response: ShortErrors } };
}
