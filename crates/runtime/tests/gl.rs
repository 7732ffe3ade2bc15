//! Objects shared with OpenGL, on the stub driver: no driver here shares with a real one.

#[path = "../../driver/tests/stub/mod.rs"]
mod stub;

use opencl_runtime::constants::{GlContextInfo, GlObjectType};
use opencl_runtime::{
    Buffer, CommandQueue, CommandType, Context, Error, GlBuffer, GlRenderbuffer, GlTexture, Image, MemFlags,
    MemObjectType, Platform, Version, WaitList, status,
};
use stub::on_stub;

const SHARING: &str = "device_extensions=cl_khr_gl_sharing";
const TEXTURE_2D: u32 = 0x0DE1;
const TEXTURE_3D: u32 = 0x806F;
const FLAGS: MemFlags = MemFlags::READ_WRITE;

fn queue() -> CommandQueue {
    let device = Platform::all().unwrap()[0].devices().unwrap().remove(0);
    CommandQueue::new(&Context::new(&[device]).unwrap()).unwrap()
}

#[test]
fn objects_know_their_names_and_go_back_and_forth() {
    on_stub("objects_know_their_names_and_go_back_and_forth", SHARING, |stub| {
        let queue = queue();
        let context = queue.context();
        // SAFETY: the stub driver knows every name but zero.
        let (buffer, image, texture) = unsafe {
            (
                GlBuffer::new(context, FLAGS, 3).unwrap(),
                GlRenderbuffer::new(context, FLAGS, 4).unwrap(),
                GlTexture::new(context, FLAGS, TEXTURE_3D, 0, 5, 3).unwrap(),
            )
        };
        assert_eq!(buffer.gl_object().unwrap(), (GlObjectType::BUFFER, 3));
        assert_eq!(image.gl_object().unwrap(), (GlObjectType::RENDERBUFFER, 4));
        assert_eq!(texture.gl_object().unwrap(), (GlObjectType::TEXTURE3D, 5));
        assert_eq!((texture.texture_target().unwrap(), texture.mipmap_level().unwrap()), (TEXTURE_3D, 0));
        assert_eq!(texture.type_().unwrap(), MemObjectType::IMAGE3D);
        assert_eq!(Image::of_object(image.clone().into()).width().unwrap(), 4);

        let objects = [&*buffer, &*image, &*texture];
        let acquired = queue.acquire_gl_objects(&objects, &WaitList::default()).unwrap();
        assert_eq!(acquired.command_type().unwrap(), CommandType::ACQUIRE_GL_OBJECTS);
        let released = queue.release_gl_objects(&objects, &[&acquired].into_iter().collect()).unwrap();
        assert_eq!(released.command_type().unwrap(), CommandType::RELEASE_GL_OBJECTS);
        queue.acquire_gl_objects(&[], &WaitList::default()).unwrap();

        let own = Buffer::new(context, FLAGS, 16).unwrap();
        let refused = queue.acquire_gl_objects(&[&own], &WaitList::default()).unwrap_err();
        assert_eq!(refused.code(), status::INVALID_GL_OBJECT);
        let object = GlBuffer::of_object(own.into());
        assert_eq!(object.gl_object().unwrap_err().code(), status::INVALID_GL_OBJECT);
        drop((buffer, image, texture, object));
        assert_eq!(stub.live("mem"), 0);
    });
}

#[test]
fn bad_names_and_dimensions_are_refused() {
    on_stub("bad_names_and_dimensions_are_refused", SHARING, |_| {
        let queue = queue();
        let context = queue.context();
        // SAFETY: there is no object of that name, which the driver says.
        let error = unsafe { GlBuffer::new(context, FLAGS, 0) }.unwrap_err();
        assert_eq!(error.code(), status::INVALID_GL_OBJECT);
        // SAFETY: as above.
        let error = unsafe { GlTexture::new(context, FLAGS, TEXTURE_2D, 0, 1, 4) }.unwrap_err();
        assert_eq!(error.code(), status::INVALID_VALUE);
        assert!(error.to_string().contains("one to three dimensions, not 4"), "{error}");
    });
}

#[test]
fn old_drivers_take_textures_by_dimension() {
    let configuration = "version=OpenCL 1.1 Stub;device_extensions=cl_khr_gl_sharing";
    on_stub("old_drivers_take_textures_by_dimension", configuration, |stub| {
        let queue = queue();
        let context = queue.context();
        // SAFETY: the stub driver knows every name but zero.
        unsafe {
            GlTexture::new(context, FLAGS, TEXTURE_2D, 0, 1, 2).unwrap();
            GlTexture::new(context, FLAGS, TEXTURE_3D, 0, 1, 3).unwrap();
        }
        let names = ["clCreateFromGLTexture2D", "clCreateFromGLTexture3D", "clCreateFromGLTexture"];
        assert_eq!(names.map(|name| stub.calls(name)), [1, 1, 0]);
    });
}

#[test]
fn without_the_extension_nothing_is_called() {
    on_stub("without_the_extension_nothing_is_called", "", |stub| {
        let queue = queue();
        let context = queue.context();
        // SAFETY: nothing is shared, which is what is tested.
        let errors = unsafe {
            [
                GlBuffer::new(context, FLAGS, 3).unwrap_err(),
                GlRenderbuffer::new(context, FLAGS, 3).unwrap_err(),
                GlTexture::new(context, FLAGS, TEXTURE_2D, 0, 3, 2).unwrap_err(),
            ]
        };
        for error in errors {
            assert_eq!(error.code(), status::INVALID_OPERATION);
            assert!(error.to_string().contains("cl_khr_gl_sharing"), "{error}");
        }
        let names = ["clCreateFromGLBuffer", "clCreateFromGLRenderbuffer", "clCreateFromGLTexture"];
        assert_eq!(names.map(|name| stub.calls(name)), [0; 3]);
        assert!(!Platform::any_with_gl().unwrap());
    });
}

#[test]
fn missing_entries_are_named() {
    let missing = "clCreateFromGLBuffer,clEnqueueAcquireGLObjects,clGetGLObjectInfo";
    let configuration = format!("{SHARING};missing={missing}");
    on_stub("missing_entries_are_named", &configuration, |_| {
        let queue = queue();
        assert!(Platform::any_with_gl().unwrap());
        // SAFETY: there is no function to make it.
        let made = unsafe { GlBuffer::new(queue.context(), FLAGS, 3) };
        let acquired = queue.acquire_gl_objects(&[], &WaitList::default());
        let own = Buffer::new(queue.context(), FLAGS, 16).unwrap();
        let asked = GlBuffer::of_object(own.into()).gl_object();
        // The extension's one function without a place in the table is looked up by name.
        let platform = Platform::all().unwrap()[0];
        let devices = platform.gl_context_devices(&[], GlContextInfo::DEVICES_FOR_GL_CONTEXT_KHR);
        let outcomes = [made.map(drop), acquired.map(drop), asked.map(drop), devices.map(drop)];
        let functions = ["clCreateFromGLBuffer", "clEnqueueAcquireGLObjects", "clGetGLObjectInfo"];
        for (outcome, function) in
            outcomes.into_iter().zip(functions.into_iter().chain(["clGetGLContextInfoKHR"]))
        {
            let error = outcome.unwrap_err();
            let named = matches!(&error, Error::Unsupported { function: f, version }
                if *f == function && *version == Version::new(3, 0));
            assert!(named, "{function}: {error:?}");
        }
    });
}
