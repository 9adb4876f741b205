"""Debian's OpenStack Swift in one process: account, container and object server, and a proxy that speaks S3.

Argument: a folder for its files. Prints the address of the proxy once it answers.
"""
import logging
import os
import sys

import eventlet

eventlet.patcher.monkey_patch(all=False, socket=True, select=True, thread=True, time=True)

from eventlet import wsgi  # noqa: E402
from swift.account.server import AccountController  # noqa: E402
from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.storage_policy import reload_storage_policies  # noqa: E402
from swift.common.utils import get_logger  # noqa: E402
from swift.common.wsgi import loadapp  # noqa: E402
from swift.container.server import ContainerController  # noqa: E402
from swift.obj.server import ObjectController  # noqa: E402

folder = sys.argv[1]
os.makedirs(os.path.join(folder, 'sda'), exist_ok=True)
with open(os.path.join(folder, 'swift.conf'), 'w') as conf:
    conf.write('[swift-hash]\nswift_hash_path_suffix = tara\n[storage-policy:0]\nname = only\ndefault = yes\n')
from swift.common import storage_policy, utils  # noqa: E402

utils.SWIFT_CONF_FILE = os.path.join(folder, 'swift.conf')
storage_policy.SWIFT_CONF_FILE = utils.SWIFT_CONF_FILE
utils.HASH_PATH_SUFFIX = b'tara'
reload_storage_policies()

config = {
    'devices': folder,
    'swift_dir': folder,
    'mount_check': 'false',
    'fallocate_reserve': '0',
    'disable_fallocate': 'true',
}
logger = get_logger({'log_level': 'CRITICAL'}, 'swift')
listeners = {}
for name in ('account', 'container', 'object', 'proxy'):
    listeners[name] = eventlet.listen(('127.0.0.1', 0))
for name in ('account', 'container', 'object'):
    builder = RingBuilder(1, 1, 0)
    ip, port = listeners[name].getsockname()
    builder.add_dev({'region': 1, 'zone': 1, 'weight': 1, 'ip': ip, 'port': port, 'device': 'sda'})
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, name + '.ring.gz'))

with open(os.path.join(folder, 'proxy.conf'), 'w') as conf:
    conf.write('''[DEFAULT]
swift_dir = {0}
[pipeline:main]
pipeline = catch_errors gatekeeper listing_formats s3api tempauth copy slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
auth_pipeline_check = false
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
user_test_reader = reading
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
'''.format(folder))


class Cache:
    """What Swift keeps in memcached otherwise."""

    def __init__(self):
        self.values = {}

    def get(self, key, **_options):
        return self.values.get(key)

    def set(self, key, value, **_options):
        self.values[key] = value

    def incr(self, key, delta=1, **_options):
        self.values[key] = self.values.get(key, 0) + delta
        return self.values[key]

    def delete(self, key, **_options):
        self.values.pop(key, None)


cache = Cache()


def serve(name, app):
    eventlet.spawn(wsgi.server, listeners[name], app, logging.getLogger('swift'), log_output=False)


serve('account', AccountController(config, logger=logger))
serve('container', ContainerController(config, logger=logger))
serve('object', ObjectController(config, logger=logger))
proxy = loadapp(os.path.join(folder, 'proxy.conf'), global_conf={'log_name': 'swift'})


def with_cache(environment, start_response):
    environment['swift.cache'] = cache
    return proxy(environment, start_response)


serve('proxy', with_cache)
print("Swift is ready at http://127.0.0.1:%d" % listeners["proxy"].getsockname()[1], flush=True)
while True:
    eventlet.sleep(3600)
