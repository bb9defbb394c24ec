"""`python -m deploy.documents`: see the package."""

import gc
import os

from deploy.documents import NOWHERE, main

os.environ.update(NOWHERE)
gc.disable()  # hardly anything is left over of what is made here, and it is looked through in vain
main()
