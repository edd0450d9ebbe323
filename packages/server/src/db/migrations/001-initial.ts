import { columnTypes, type Engine } from './column-types.ts';

/**
 * The whole domain. Every key begins with the store (or the owner), so that a cluster can be sharded by it.
 * `*_at` is an instant in milliseconds, `is_*` a boolean, `*_id` a UUID. Optional texts that must be unique
 * (`external_id`, `sku`) are null when absent, all others are ''.
 */
export const initial = {
  name: 'initial',
  statements(engine: Engine): string[] {
    const { uuid, instant, integer, boolean, text, bytes } = columnTypes[engine];
    const isPostgres = engine === 'postgres';
    const table = (name: string, columns: string, options = isPostgres ? '' : 'strict') =>
      `create table ${name} (${columns}) ${options}`;
    const storage = (...parameters: string[]) => (isPostgres ? `with (${parameters.join(', ')})` : 'strict');
    // Half of each page is left free, so that a row that is changed again and again stays in its page: a HOT update, which
    // changes no index.
    const ROOM = 'fillfactor = 50';
    // By default a table is vacuumed when a fifth of it has changed: of a log of a hundred million rows, after a week of
    // deletions, each of which has to be passed at the end that they begin from.
    const VACUUM_EARLY = 'autovacuum_vacuum_scale_factor = 0.02';
    // Compared byte by byte, so that a prefix search is one range of an index.
    const key = isPostgres ? `${text} collate "C"` : text;
    const ofStore = `store_id ${uuid} not null references stores (id)`;
    // Without the foreign key where a parent row has it: each check locks the store's row, which all its writers share.
    const below = `store_id ${uuid} not null`;
    const ofEndpoint = `${below}, endpoint_id ${uuid} not null,
         foreign key (store_id, endpoint_id) references webhook_endpoints (store_id, id)`;
    const synchronized = `created_at ${instant} not null, updated_at ${instant} not null, seq ${integer} not null`;

    return [
      // Every account, also of members who own no store. One that was created by an invitation may not create stores.
      table(
        'owners',
        `id ${uuid} primary key,
         email ${text} not null,
         email_key ${text} not null unique,
         name ${text} not null,
         password_hash ${text} not null,
         language ${text} not null default '',
         is_invited ${boolean} not null default false,
         created_at ${instant} not null`,
      ),
      table(
        'sessions',
        `token_hash ${text} primary key,
         owner_id ${uuid} not null references owners (id),
         user_agent ${text} not null default '',
         address ${text} not null default '',
         verified_at ${instant} not null default 0,
         created_at ${instant} not null,
         last_seen_at ${instant} not null,
         expires_at ${instant} not null`,
      ),
      'create index sessions_of_owner on sessions (owner_id, expires_at)',
      // The secret is encrypted; null if it was lost with its key. Codes of steps up to last_step were used.
      table(
        'code_generators',
        `owner_id ${uuid} primary key references owners (id),
         id ${uuid} not null,
         secret ${text},
         last_step ${integer} not null,
         created_at ${instant} not null`,
      ),
      // A used code is deleted.
      table(
        'recovery_codes',
        `owner_id ${uuid} not null references owners (id),
         code_hash ${text} not null,
         primary key (owner_id, code_hash)`,
      ),
      // A passkey works only at the host that it was added at.
      table(
        'passkeys',
        `owner_id ${uuid} not null references owners (id),
         id ${uuid} not null,
         credential_id ${text} not null,
         host ${text} not null,
         public_key ${text} not null,
         counter ${integer} not null,
         transports ${text} not null,
         name ${text} not null,
         created_at ${instant} not null,
         last_used_at ${instant},
         primary key (owner_id, id),
         unique (owner_id, credential_id)`,
      ),
      // Signed tokens that were used, until they expire.
      table(
        'used_tokens',
        `owner_id ${uuid} not null references owners (id),
         nonce ${text} not null,
         expires_at ${instant} not null,
         primary key (owner_id, nonce)`,
      ),
      // One link per account: a new one replaces it. Only the hash of its token is stored.
      table(
        'password_resets',
        `owner_id ${uuid} primary key references owners (id),
         token_hash ${text} not null,
         created_at ${instant} not null,
         expires_at ${instant} not null`,
      ),
      table(
        'stores',
        `id ${uuid} primary key,
         owner_id ${uuid} not null references owners (id),
         name ${text} not null,
         currency ${text} not null,
         timezone ${text} not null,
         low_stock ${integer} not null default 5,
         plan ${text} not null,
         is_active ${boolean} not null default true,
         is_second_factor_required ${boolean} not null default false,
         created_at ${instant} not null`,
      ),
      'create index stores_of_owner on stores (owner_id, created_at, id)',
      // order_mail_*: the last order that the member was mailed about, and when.
      table(
        'store_members',
        `${ofStore},
         owner_id ${uuid} not null references owners (id),
         role ${text} not null,
         is_order_mail ${boolean} not null default false,
         order_mail_number ${integer} not null default 0,
         order_mail_at ${instant} not null default 0,
         created_at ${instant} not null,
         primary key (store_id, owner_id)`,
      ),
      'create index store_members_account on store_members (owner_id, store_id)',
      'create index store_members_order_mail on store_members (store_id, owner_id) where is_order_mail',
      // The link of an invitation names the store and a token, of which only the hash is stored.
      table(
        'invitations',
        `${ofStore},
         id ${uuid} not null,
         token_hash ${text} not null,
         email ${text} not null,
         email_key ${text} not null,
         role ${text} not null,
         invited_by ${uuid},
         created_at ${instant} not null,
         expires_at ${instant} not null,
         primary key (store_id, id),
         unique (store_id, email_key)`,
      ),
      // Not in `stores`: this row is locked by every change, and a row of `stores` is read by every request.
      table(
        'store_clocks',
        `store_id ${uuid} primary key references stores (id),
         seq ${integer} not null default 0,
         ts ${instant} not null default 0,
         last_number ${integer} not null default 0`,
        storage(ROOM),
      ),
      table(
        'locks',
        `store_id ${uuid} not null, bucket ${integer} not null, primary key (store_id, bucket)`,
        storage(ROOM),
      ),

      // expiry_mail_days: the last notice that the key expires, 14 or 3 days before.
      table(
        'api_keys',
        `${ofStore},
         id ${uuid} not null,
         name ${text} not null,
         prefix ${text} not null,
         key_hash ${text} not null,
         rights ${text} not null,
         created_by ${uuid},
         created_at ${instant} not null,
         expires_at ${instant} not null,
         revoked_at ${instant},
         last_used_at ${instant},
         expiry_mail_days ${integer},
         primary key (store_id, id)`,
      ),
      'create index api_keys_by_hash on api_keys (key_hash)',
      'create index api_keys_by_id on api_keys (id)',
      'create index api_keys_expiring on api_keys (expires_at) where revoked_at is null',
      // The requests with an `Idempotency-Key` of the last day. `status`, `headers` (JSON) and `body` are null until the
      // request succeeds.
      table(
        'idempotency_keys',
        `${ofStore},
         path ${text} not null,
         key ${text} not null,
         request_hash ${text} not null,
         created_at ${instant} not null,
         leased_until_at ${instant} not null,
         status ${integer},
         headers ${text},
         body ${text},
         primary key (store_id, path, key)`,
        storage(VACUUM_EARLY),
      ),
      'create index idempotency_keys_created on idempotency_keys (store_id, created_at)',
      // The key is the only index: ids are in the order of time, and a store has at most 100,000 lines to search.
      table(
        'request_log',
        `${below},
         id ${uuid} not null,
         received_at ${instant} not null,
         key_id ${uuid} not null,
         method ${text} not null,
         route ${text} not null,
         status ${integer} not null,
         code ${text},
         duration_ms ${integer} not null,
         request_id ${text} not null,
         address ${text} not null,
         query ${text} not null,
         problem ${text},
         primary key (store_id, id)`,
        isPostgres ? storage(VACUUM_EARLY) : 'strict, without rowid',
      ),
      table('request_log_sizes', `store_id ${uuid} not null primary key, lines ${integer} not null`, storage(ROOM)),

      table(
        'categories',
        `${ofStore},
         id ${uuid} not null,
         external_id ${text},
         name ${text} not null,
         parent_id ${uuid},
         created_at ${instant} not null,
         updated_at ${instant} not null,
         primary key (store_id, id),
         unique (store_id, external_id),
         foreign key (store_id, parent_id) references categories (store_id, id)`,
      ),
      'create index categories_parent on categories (store_id, parent_id, created_at, id)',
      table(
        'products',
        `${ofStore},
         id ${uuid} not null,
         external_id ${key},
         sku ${key},
         name ${text} not null,
         name_key ${key} not null default '',
         description ${text} not null default '',
         image_url ${text} not null default '',
         picture_url ${text},
         stock ${integer},
         price ${integer} not null,
         old_price ${integer},
         category_id ${uuid},
         is_active ${boolean} not null default true,
         ${synchronized},
         primary key (store_id, id),
         unique (store_id, external_id),
         unique (store_id, sku),
         foreign key (store_id, category_id) references categories (store_id, id)`,
      ),
      'create index products_name on products (store_id, name_key, id)',
      'create index products_price on products (store_id, price, id)',
      'create index products_stock on products (store_id, stock, id) where stock is not null',
      'create index products_created on products (store_id, created_at, id)',
      'create index products_updated on products (store_id, updated_at, seq)',
      'create index products_category_created on products (store_id, category_id, created_at, id)',
      'create index products_category_updated on products (store_id, category_id, updated_at, seq)',
      // What visitors of the order page browse.
      'create index products_offered on products (store_id, created_at, id) where is_active',
      'create index products_offered_category on products (store_id, category_id, created_at, id) where is_active',

      // What is uploaded, by the SHA-256 of its bytes, which are last, so that the other columns are read without them.
      table(
        'files',
        `${ofStore},
         hash ${text} not null,
         type ${text} not null,
         width ${integer} not null,
         height ${integer} not null,
         size ${integer} not null,
         created_at ${instant} not null,
         bytes ${bytes} not null,
         primary key (store_id, hash)`,
      ),
      // Pictures are compressed already.
      ...(isPostgres ? ['alter table files alter column bytes set storage external'] : []),
      // The sum of the sizes of a store's files.
      table('file_sizes', `store_id ${uuid} not null primary key, bytes ${integer} not null`, storage(ROOM)),
      // `place`: `product`, or of the order page `logo` or `cover`. `products.picture_url` is the first of a product.
      table(
        'pictures',
        `${ofStore},
         id ${uuid} not null,
         place ${text} not null,
         product_id ${uuid},
         position ${integer} not null,
         created_at ${instant} not null,
         primary key (store_id, id),
         foreign key (store_id, product_id) references products (store_id, id)`,
      ),
      'create index pictures_of_product on pictures (store_id, product_id, position) where product_id is not null',
      'create unique index pictures_of_shop on pictures (store_id, place) where product_id is null',
      // The sizes of a picture. Equal ones of several pictures share a file.
      table(
        'picture_files',
        `${below},
         picture_id ${uuid} not null,
         hash ${text} not null,
         primary key (store_id, picture_id, hash),
         foreign key (store_id, picture_id) references pictures (store_id, id),
         foreign key (store_id, hash) references files (store_id, hash)`,
      ),
      'create index picture_files_hash on picture_files (store_id, hash)',

      // Customers are matched by phone_key and email_key, null when absent. One that was merged into another has no keys and
      // no external id: it is only read and, when asked for, listed.
      table(
        'customers',
        `${ofStore},
         id ${uuid} not null,
         external_id ${text},
         name ${text} not null default '',
         phone ${text} not null default '',
         phone_key ${key},
         email ${text} not null default '',
         email_key ${text},
         merged_into_id ${uuid},
         erased_at ${instant},
         ${synchronized},
         primary key (store_id, id),
         unique (store_id, external_id),
         foreign key (store_id, merged_into_id) references customers (store_id, id)`,
      ),
      'create index customers_all_created on customers (store_id, created_at, id)',
      'create index customers_all_updated on customers (store_id, updated_at, seq)',
      // Of two indexes that serve a list equally, SQLite takes the later one.
      'create index customers_created on customers (store_id, created_at, id) where merged_into_id is null',
      'create index customers_updated on customers (store_id, updated_at, seq) where merged_into_id is null',
      'create index customers_merged on customers (store_id, merged_into_id) where merged_into_id is not null',
      'create index customers_phone on customers (store_id, phone_key, created_at, id)',
      'create index customers_email on customers (store_id, email_key, created_at, id)',

      // What products and customers are found by: db/search/record-terms.ts. The rows of a record change together with it.
      ...['product_terms', 'customer_terms'].flatMap((name) => [
        table(
          name,
          `${below},
           record_id ${uuid} not null,
           term ${key} not null,
           primary key (store_id, record_id, term)`,
          isPostgres ? '' : 'strict, without rowid',
        ),
        `create index ${name}_start on ${name} (store_id, term, record_id)`,
      ]),

      table(
        'delivery_types',
        `owner_id ${uuid} not null references owners (id),
         id ${uuid} not null,
         code ${text} not null,
         name ${text} not null,
         kind ${text} not null,
         provider ${text},
         tracking_url_template ${text} not null default '',
         created_at ${instant} not null,
         primary key (owner_id, id),
         unique (owner_id, code)`,
      ),
      table(
        'store_delivery_types',
        `${ofStore},
         delivery_type_id ${uuid} not null,
         is_active ${boolean} not null,
         primary key (store_id, delivery_type_id)`,
      ),
      table(
        'payment_types',
        `owner_id ${uuid} not null references owners (id),
         id ${uuid} not null,
         code ${text} not null,
         name ${text} not null,
         description ${text} not null default '',
         created_at ${instant} not null,
         primary key (owner_id, id),
         unique (owner_id, code)`,
      ),
      table(
        'store_payment_types',
        `${ofStore},
         payment_type_id ${uuid} not null,
         is_active ${boolean} not null,
         primary key (store_id, payment_type_id)`,
      ),
      table(
        'order_statuses',
        `${ofStore},
         id ${uuid} not null,
         code ${text},
         name ${text} not null,
         name_key ${text} not null,
         status_group ${text} not null,
         is_active ${boolean} not null default true,
         sort_order ${integer} not null,
         primary key (store_id, id),
         unique (store_id, code),
         unique (store_id, status_group, name_key)`,
      ),
      // What customers are told by mail when their order gets a status.
      table(
        'status_mails',
        `${ofStore},
         status_id ${uuid} not null,
         is_enabled ${boolean} not null,
         text_en ${text} not null,
         text_ru ${text} not null,
         updated_at ${instant} not null,
         primary key (store_id, status_id),
         foreign key (store_id, status_id) references order_statuses (store_id, id)`,
      ),
      // Who sells: on documents, and where customers answer to.
      table(
        'sellers',
        `${ofStore},
         name ${text} not null,
         address ${text} not null,
         tax_number ${text} not null,
         email ${text} not null,
         updated_at ${instant} not null,
         primary key (store_id)`,
      ),
      table(
        'payment_statuses',
        `${ofStore},
         id ${uuid} not null,
         code ${text},
         name ${text} not null,
         name_key ${text} not null,
         is_paid ${boolean} not null,
         color ${text} not null,
         is_active ${boolean} not null default true,
         sort_order ${integer} not null,
         primary key (store_id, id),
         unique (store_id, code),
         unique (store_id, name_key)`,
      ),
      table(
        'warehouses',
        `${ofStore},
         id ${uuid} not null,
         code ${text} not null,
         name ${text} not null,
         address ${text} not null default '',
         city ${text} not null default '',
         is_active ${boolean} not null default true,
         created_at ${instant} not null,
         primary key (store_id, id),
         unique (store_id, code)`,
      ),

      // Which product is where. `products.stock` has the sum over active warehouses, null without any row here.
      table(
        'stock',
        `${below},
         product_id ${uuid} not null,
         warehouse_id ${uuid} not null,
         quantity ${integer} not null,
         primary key (store_id, product_id, warehouse_id),
         foreign key (store_id, product_id) references products (store_id, id),
         foreign key (store_id, warehouse_id) references warehouses (store_id, id)`,
      ),
      'create index stock_of_warehouse on stock (store_id, warehouse_id, product_id)',
      // Every change of a quantity. `seq` is the change number of the product, `position` tells those of one change apart.
      table(
        'stock_movements',
        `${below},
         product_id ${uuid} not null,
         seq ${integer} not null,
         position ${integer} not null,
         warehouse_id ${uuid} not null,
         quantity_before ${integer} not null,
         quantity_after ${integer} not null,
         kind ${text} not null,
         order_id ${uuid},
         actor_kind ${text} not null,
         actor_id ${uuid},
         created_at ${instant} not null,
         primary key (store_id, product_id, seq, position)`,
        isPostgres ? '' : 'strict, without rowid',
      ),

      // Either `percent` or `amount` is null. `uses`: orders that use the code and are not cancelled.
      table(
        'promo_codes',
        `${ofStore},
         id ${uuid} not null,
         code ${text} not null,
         code_key ${key} not null,
         percent ${integer},
         amount ${integer},
         min_total ${integer} not null,
         from_at ${instant},
         to_at ${instant},
         max_uses ${integer},
         uses ${integer} not null default 0,
         is_active ${boolean} not null default true,
         created_at ${instant} not null,
         primary key (store_id, id),
         unique (store_id, code_key)`,
      ),
      'create index promo_codes_by_id on promo_codes (id)',

      // Columns for what is searched, sorted, joined or summed. The rest of an order is its document, stored as
      // the JSON members that are sent: see docs/decisions/order-document.md.
      table(
        'orders',
        `${below},
         id ${uuid} not null,
         number ${integer} not null,
         external_id ${key},
         ${synchronized},
         status_id ${uuid} not null,
         payment_status_id ${uuid} not null,
         customer_id ${uuid},
         source ${text} not null,
         total_amount ${integer} not null,
         paid_amount ${integer} not null default 0,
         promo_code_id ${uuid},
         promo_discount ${integer} not null default 0,
         delivery_type_id ${uuid},
         tracking_code ${text},
         document_head ${text} not null,
         document ${text} not null,
         document_rest ${text} not null,
         document_tail ${text} not null,
         items ${text} not null,
         primary key (store_id, id),
         unique (store_id, external_id),
         unique (store_id, number),
         foreign key (store_id, status_id) references order_statuses (store_id, id),
         foreign key (store_id, payment_status_id) references payment_statuses (store_id, id),
         foreign key (store_id, customer_id) references customers (store_id, id),
         foreign key (store_id, promo_code_id) references promo_codes (store_id, id)`,
        // Sales are summed up from an index alone as far as a vacuum has seen the pages.
        storage(VACUUM_EARLY, 'autovacuum_vacuum_insert_scale_factor = 0.02'),
      ),
      ...['', 'status_id', 'payment_status_id', 'status_id, payment_status_id'].flatMap((equal, index) => {
        const name = ['', 'status_', 'payment_', 'status_payment_'][index];
        const prefix = equal ? `store_id, ${equal}` : 'store_id';
        // With the amount, sales are summed up by status and day from the index alone.
        const summed = equal.startsWith('status_id') ? ', total_amount' : '';
        return [
          `create index orders_${name}created on orders (${prefix}, created_at, number${summed})`,
          `create index orders_${name}updated on orders (${prefix}, updated_at, seq)`,
        ];
      }),
      'create index orders_total on orders (store_id, total_amount, number)',
      // With the amounts and the status, what is due is summed up from the index alone.
      'create index orders_due on orders (store_id, created_at, number, status_id, total_amount, paid_amount) where paid_amount < total_amount',
      'create index orders_customer on orders (store_id, customer_id, created_at, number)',
      // Partial, because few orders do not come from the API, and those that do need no entry.
      "create index orders_source_created on orders (store_id, source, created_at, number) where source <> 'api'",
      // With the amount, the revenue of a code is summed up from the index alone.
      'create index orders_promo on orders (store_id, promo_code_id, status_id, total_amount) where promo_code_id is not null',
      // `warehouse_id`: where the line was taken from; null if nothing was taken, or it was put back.
      table(
        'order_lines',
        `${below},
         order_id ${uuid} not null,
         position ${integer} not null,
         id ${uuid} not null,
         product_id ${uuid} not null,
         quantity ${integer} not null,
         unit_price ${integer} not null,
         discount ${integer} not null,
         line_total ${integer} not null,
         warehouse_id ${uuid},
         primary key (store_id, order_id, position),
         foreign key (store_id, order_id) references orders (store_id, id)`,
      ),
      // What orders are filtered by, beside their columns: orders/write/lookup-keys.ts.
      table(
        'order_keys',
        `${below},
         key ${key} not null,
         number ${integer} not null,
         primary key (store_id, key, number)`,
        isPostgres ? '' : 'strict, without rowid',
      ),
      ...(isPostgres
        ? [
            table(
              'order_search',
              `${ofStore},
               number ${integer} not null,
               terms tsvector not null,
               primary key (store_id, number)`,
            ),
            // A small list of pending entries: a search reads all of it, and the write that fills it empties it.
            'create index order_search_terms on order_search using gin (terms) with (gin_pending_list_limit = 512)',
          ]
        : [
            // The number makes the row ids of a store one range of the index.
            table(
              'order_search_stores',
              `number ${integer} primary key, store_id ${uuid} not null unique references stores (id)`,
            ),
            "create virtual table order_search using fts5 (terms, detail = none, columnsize = 0, tokenize = 'ascii')",
            // Half the writes of the default for the transactions of single orders.
            "insert into order_search (order_search, rank) values ('automerge', 8)",
          ]),
      // Changes of many orders that take more than one transaction, until they are finished.
      table(
        'unfinished_changes',
        `${ofStore},
         id ${uuid} not null,
         kind ${text} not null,
         fields ${text} not null,
         actor_kind ${text} not null,
         actor_id ${uuid},
         asked_at ${instant} not null,
         primary key (store_id, id)`,
      ),
      // Saved views of the order list. `view` is JSON: filters, sort and columns.
      table(
        'order_views',
        `${ofStore},
         id ${uuid} not null,
         name ${text} not null,
         name_key ${text} not null,
         view ${text} not null,
         created_at ${instant} not null,
         primary key (store_id, id),
         unique (store_id, name_key)`,
      ),

      // The order page. `delivery` and `payments` are JSON; null offers every enabled type of the store.
      table(
        'shops',
        `store_id ${uuid} primary key references stores (id),
         slug ${text} not null unique,
         is_enabled ${boolean} not null,
         is_in_feeds ${boolean} not null,
         title ${text} not null default '',
         about ${text} not null default '',
         contacts ${text} not null default '',
         language ${text} not null default 'en',
         accent ${text} not null default '#1864ab',
         smallest_order ${integer} not null default 0,
         delivery ${text},
         payments ${text},
         created_at ${instant} not null,
         updated_at ${instant} not null`,
      ),
      // The secret of a checkout form becomes the address of its order. Only its hash is stored.
      table(
        'shop_orders',
        `${ofStore},
         secret_hash ${text} not null,
         order_id ${uuid} not null,
         created_at ${instant} not null,
         primary key (store_id, secret_hash)`,
      ),

      // `is_stopping`: the endpoint is disabled, and some of its deliveries still have to be stopped, which takes more than
      // one transaction. `older_secrets`: earlier values of `previous_secret` and the time until which each still signs, as
      // encrypted JSON. `subscribed_seq`: it gets the events with a higher change number. `mailed_failing_since_at`:
      // `failing_since_at` of the failures that members were mailed about.
      table(
        'webhook_endpoints',
        `${ofStore},
         id ${uuid} not null,
         url ${text} not null,
         events ${text} not null,
         secret ${text} not null,
         previous_secret ${text},
         previous_secret_until_at ${instant},
         older_secrets ${text},
         is_active ${boolean} not null default true,
         is_stopping ${boolean} not null default false,
         subscribed_seq ${integer} not null,
         disabled_reason ${text},
         disabled_at ${instant},
         consecutive_failures ${integer} not null default 0,
         failing_since_at ${instant},
         mailed_failing_since_at ${instant},
         created_at ${instant} not null,
         primary key (store_id, id)`,
      ),
      'create index webhook_endpoints_by_id on webhook_endpoints (id)',
      'create index webhook_endpoints_stopping on webhook_endpoints (id) where is_stopping',
      'create index webhook_endpoints_failing on webhook_endpoints (failing_since_at) where failing_since_at is not null',
      // Warnings before an endpoint is disabled, and when it is disabled and enabled, for the owner.
      table(
        'endpoint_notices',
        `id ${uuid} not null,
         kind ${text} not null,
         failures ${integer} not null,
         created_at ${instant} not null,
         ${ofEndpoint},
         primary key (store_id, endpoint_id, id)`,
      ),
      'create index endpoint_notices_by_time on endpoint_notices (created_at)',
      // Attempts summed up by the hour: the health of an endpoint is read from 24 rows, however busy it is.
      table(
        'endpoint_hours',
        `hour_at ${instant} not null,
         attempts ${integer} not null,
         successes ${integer} not null,
         total_ms ${integer} not null,
         slowest_ms ${integer} not null,
         ${ofEndpoint},
         primary key (store_id, endpoint_id, hour_at)`,
      ),
      'create index endpoint_hours_by_time on endpoint_hours (hour_at)',
      // The outbox of webhooks and the timeline of an order. `seq` is the change number of the event, null for a ping.
      table(
        'events',
        `${ofStore},
         id ${uuid} not null,
         type ${text} not null,
         order_id ${uuid},
         external_id ${text} not null default '',
         details ${text} not null default '{}',
         actor_kind ${text} not null,
         actor_id ${uuid},
         created_at ${instant} not null,
         seq ${integer},
         primary key (store_id, id)`,
        storage(VACUUM_EARLY),
      ),
      'create index events_of_order on events (store_id, order_id, seq)',
      `create index events_by_time on events (store_id, created_at, seq)
       where type in ('order.created', 'order.status_changed', 'order.payment_status_changed')`,
      "create unique index events_created_once on events (store_id, order_id) where type = 'order.created'",
      // `is_scheduled`: a retry that waits for its time. Cleared when it is due, so that a dispatcher finds what is due
      // without reading what waits.
      table(
        'deliveries',
        `${below},
         id ${uuid} not null,
         endpoint_id ${uuid} not null,
         event_id ${uuid} not null,
         status ${text} not null,
         attempt_count ${integer} not null default 0,
         next_attempt_at ${instant},
         is_scheduled ${boolean} not null default false,
         leased_until_at ${instant},
         settled_at ${instant},
         created_at ${instant} not null,
         primary key (store_id, id),
         foreign key (store_id, endpoint_id) references webhook_endpoints (store_id, id),
         foreign key (store_id, event_id) references events (store_id, id)`,
        // Claiming one is a HOT update.
        storage(ROOM, VACUUM_EARLY),
      ),
      // By endpoint: the dispatcher goes from endpoint to endpoint, however many rows each has pending. Without the store:
      // with it, PostgreSQL confused this index with that of the log when its statistics did not include the endpoint.
      `create index deliveries_queue on deliveries (is_scheduled, endpoint_id, next_attempt_at)
       where status = 'pending'`,
      'create index deliveries_scheduled on deliveries (next_attempt_at) where is_scheduled',
      // When it was delivered, failed, stopped or skipped: the retention of the log starts then.
      "create index deliveries_settled on deliveries (store_id, settled_at) where status <> 'pending'",
      `create index deliveries_unsent on deliveries (store_id, endpoint_id, status, created_at, id)
       where status in ('failed', 'stopped', 'skipped')`,
      'create index deliveries_of_endpoint on deliveries (store_id, endpoint_id, created_at, id)',
      'create index deliveries_of_event on deliveries (store_id, event_id)',
      table(
        'attempts',
        `${below},
         delivery_id ${uuid} not null,
         id ${uuid} not null,
         started_at ${instant} not null,
         duration_ms ${integer} not null,
         response_status ${integer},
         error ${text},
         response_body ${text} not null default '',
         primary key (store_id, delivery_id, id),
         foreign key (store_id, delivery_id) references deliveries (store_id, id)`,
        storage(VACUUM_EARLY),
      ),

      // The outbox of mails. `store_id` is zero for mails of an account. `secret` is an encrypted link, which is erased with
      // `params` when the mail is sent. `limit_key` is the address as it is counted for limits.
      table(
        'mails',
        `store_id ${uuid} not null,
         id ${uuid} not null,
         kind ${text} not null,
         recipient ${text} not null,
         limit_key ${text} not null,
         language ${text} not null,
         params ${text} not null,
         secret ${text},
         state ${text} not null,
         attempts ${integer} not null default 0,
         next_attempt_at ${instant},
         lease ${instant},
         error ${text},
         created_at ${instant} not null,
         expires_at ${instant},
         settled_at ${instant},
         primary key (store_id, id)`,
      ),
      "create index mails_due on mails (store_id, next_attempt_at) where state = 'waiting'",
      'create index mails_of_recipient on mails (limit_key, created_at)',
      'create index mails_of_store on mails (store_id, created_at)',
      "create index mails_dead on mails (settled_at) where state = 'dead'",
      // Who changed which setting, and when. The scope is the store, or the owner where a change concerns no store (a
      // password, a sign-in).
      table(
        'history',
        `scope_id ${uuid} not null,
         id ${uuid} not null,
         actor_kind ${text} not null,
         actor_id ${uuid},
         action ${text} not null,
         subject_kind ${text} not null,
         subject_id ${uuid} not null,
         subject_name ${text} not null,
         details ${text} not null default '{}',
         created_at ${instant} not null,
         primary key (scope_id, id)`,
      ),
      'create index history_by_time on history (scope_id, created_at, id)',
      // The secret keys in use: their ids and a value derived from the key, never the key itself.
      table('secret_keys', `id ${text} primary key, verifier ${text} not null, created_at ${instant} not null`),
      // The running processes.
      table(
        'nodes',
        `id ${uuid} primary key,
         schema_version ${integer} not null,
         program_version ${text} not null,
         last_seen_at ${instant} not null`,
      ),
    ];
  },
};
